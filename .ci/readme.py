#!/usr/bin/env python3
"""Runs every command of README.md, in order, as a reader would type them.

Blocks marked `sh` are run by one bash in which what one block sets is there in
the next; blocks marked `js` by a Node of their own. The command that starts the server is run in the background, until
the end, and the blocks after it wait for its first answer.
"""

import pathlib
import re
import subprocess
import sys
import time
import urllib.request

RUN = "cargo run --release"
HEALTH = "http://127.0.0.1:8080/healthz"
PATIENCE = 900  # seconds; a first release build takes minutes


def blocks(text):
    found = re.findall(r"^```(sh|js)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block if language == "sh" else in_node(block) for language, block in found]


def in_node(block):
    return f"node --input-type=module - <<'END_OF_BLOCK'\n{block}END_OF_BLOCK\n"


def wait_for_server(server):
    for _ in range(PATIENCE * 4):
        if server.poll() is not None:
            sys.exit(f"`{RUN}` ended with {server.returncode}")
        try:
            with urllib.request.urlopen(HEALTH, timeout=1) as answer:
                return answer.status
        except OSError:
            time.sleep(0.25)
    sys.exit(f"`{RUN}` did not answer within {PATIENCE} s")


def main():
    readme = pathlib.Path(__file__).resolve().parent.parent / "README.md"
    commands = blocks(readme.read_text(encoding="utf-8"))
    starts = [block for block in commands if block.strip() == RUN]
    assert len(starts) == 1, f"the README must say `{RUN}` once, in a block of its own"
    print(f"\n$ {RUN} &", flush=True)
    server = subprocess.Popen(RUN.split(), cwd=readme.parent)
    try:
        wait_for_server(server)
        rest = "\n".join(block for block in commands if block.strip() != RUN)
        script = f"set -euo pipefail\nset -v\n{rest}"
        result = subprocess.run(["bash", "-c", script], cwd=readme.parent, check=False)
    finally:
        server.terminate()
        server.wait(timeout=60)
    if result.returncode != 0 or server.returncode != 0:
        sys.exit(f"README: commands ended with {result.returncode}, the server with {server.returncode}")
    print(f"README: {len(commands)} blocks run", flush=True)


if __name__ == "__main__":
    main()
