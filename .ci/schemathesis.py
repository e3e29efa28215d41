"""What schemathesis cannot read from openapi.yaml: whose token it is, and what else a refusal depends on."""

import schemathesis
from schemathesis.openapi.checks import IgnoredAuth, RejectedPositiveData

# What is made by which operation.
CREATIONS = {"POST /v1/sessions": "session", "POST /v1/races": "race"}

# What a well-formed request can be told because of the session's version, the rules of its game, or an earlier
# request under its key. (Schemathesis itself knows that 401, 403, 404 and 409 are of that kind.) `invalid_request`
# and whatever else comes with the same statuses is a failure.
DEPENDS_ON_STATE = {"stale_version", "illegal_move", "idempotency_key_reused"}

tokens = {}


@schemathesis.hook
def after_call(context, case, response):
    """Keeps the host's token of each session and race: it is in the answer that makes it, and nowhere else."""
    what = CREATIONS.get(case.operation.label)
    if what and response.status_code == 201:
        made = response.json()
        tokens[made[what]["id"]] = made["token"]


@schemathesis.auth(refresh_interval=None)
class TokenOfTheHost:
    def get(self, case, context):
        return tokens.get((case.path_parameters or {}).get("id"))

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether it is a failure: where the document cannot say more than it does, it is none."""
    if isinstance(failure, RejectedPositiveData):
        problem = response.json()
        # No pattern says which characters can be seen: it is in Unicode's tables.
        is_name = problem["code"] == "invalid_request" and problem["field"] == "name"
        # Nor does a schema say that a deck has each card of the packs once.
        is_deck = problem["code"] == "invalid_deck"
        # Nor does it say which cursors were ever given to anybody.
        is_cursor = problem["code"] == "invalid_request" and problem["field"] == "cursor"
        return not (problem["code"] in DEPENDS_ON_STATE or is_name or is_deck or is_cursor)
    if isinstance(failure, IgnoredAuth):
        # The request is repeated without the token. 404 refuses too: a private session is hidden from others, and
        # one that was just removed is gone.
        return "`404 " not in failure.message
    return True
