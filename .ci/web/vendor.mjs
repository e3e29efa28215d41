// Copies the libraries of the built-in table from what npm has installed here, with their licences, and says so if what
// is kept in the project is anything else: `node vendor.mjs` writes, `node vendor.mjs --check` compares.
//
// Browsers know no packages, so a library that imports another by its name imports its file instead. Nothing else is
// changed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../src/web/static");

/** What is copied: from which package, which file, and to where. */
const FILES = [
  ["preact", "dist/preact.mjs", "vendor/preact.js"],
  ["preact", "hooks/dist/hooks.mjs", "vendor/hooks.js"],
  ["htm", "dist/htm.module.js", "vendor/htm.js"],
  ["eventsource-parser", "dist/index.js", "vendor/eventsource-parser.js"],
  ["@noble/hashes", "sha2.js", "vendor/sha2.js"],
  ["@noble/hashes", "_md.js", "vendor/_md.js"],
  ["@noble/hashes", "_u64.js", "vendor/_u64.js"],
  ["@noble/hashes", "utils.js", "vendor/utils.js"],
  ["swagger-ui-dist", "swagger-ui-bundle.js", "docs/swagger-ui-bundle.js"],
  ["swagger-ui-dist", "swagger-ui.css", "docs/swagger-ui.css"],
];

const IMPORTS = [['from"preact"', 'from"./preact.js"']];

/** Where notes for debuggers would be looked for. */
const MAPS = /^(\/\/|\/\*)# sourceMappingURL=.*$/gm;

const read = (name, file) => readFileSync(join(here, "node_modules", name, file), "utf8");
const packages = [...new Set(FILES.map(([name]) => name))];

const wanted = new Map(
  FILES.map(([name, from, to]) => {
    const text = IMPORTS.reduce((text, [old, now]) => text.replaceAll(old, now), read(name, from));
    return [to, text.replace(MAPS, "")];
  }),
);
const notices = packages.map((name) => {
  const { version, license } = JSON.parse(read(name, "package.json"));
  return `${name} ${version} (${license})\n\n${read(name, "LICENSE").trim()}\n`;
});
const bundled = read("swagger-ui-dist", "swagger-ui-bundle.js.LICENSE.txt").trim();
wanted.set("licences.txt", [...notices, `What swagger-ui-dist has in it\n\n${bundled}\n`].join(`\n${"-".repeat(80)}\n\n`));

const differ = [...wanted].filter(([to, text]) => {
  try {
    return readFileSync(join(root, to), "utf8") !== text;
  } catch {
    return true;
  }
});
if (process.argv.includes("--check")) {
  if (differ.length > 0) {
    console.error(`These are not what npm has: ${differ.map(([to]) => to).join(", ")}. Run \`npm run vendor\`.`);
    process.exit(1);
  }
} else {
  for (const [to, text] of differ) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    writeFileSync(join(root, to), text);
    console.log(`written: ${to}`);
  }
}
