"""What schemathesis cannot read from openapi.yaml: whose token it is, and what else a refusal depends on."""

import schemathesis
from schemathesis.core.failures import ServerError
from schemathesis.openapi.checks import EnsureResourceAvailability, IgnoredAuth, RejectedPositiveData

# What is made by which operation.
CREATIONS = {"POST /v1/sessions": "session", "POST /v1/races": "race"}

# What leaves a seat.
LEAVING = {"DELETE /v1/sessions/{id}/players/{seat}", "DELETE /v1/races/{id}/players/{seat}"}

# What a well-formed request can be told because of the session's version, the rules of its game, an earlier request
# under its key, or how many deals were tried in vain. (Schemathesis itself knows that 401, 403, 404 and 409 are of
# that kind.) `invalid_request` and whatever else comes with the same statuses is a failure.
DEPENDS_ON_STATE = {"stale_version", "illegal_move", "idempotency_key_reused", "no_winnable_deal"}

# What a server that does its best can be too busy for, as the document says. A machine with few cores is, at times.
TRY_AGAIN = {"busy", "no_deal_ready"}

tokens = {}
left = set()


@schemathesis.hook
def after_call(context, case, response):
    """Keeps the host's token of each session and race: it is in the answer that makes it, and nowhere else. Keeps too
    what somebody has left, for that may have been the host."""
    what = CREATIONS.get(case.operation.label)
    if what and response.status_code == 201:
        made = response.json()
        tokens[made[what]["id"]] = made["token"]
    if case.operation.label in LEAVING and response.status_code == 204:
        left.add(case.path_parameters["id"])


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
    if isinstance(failure, ServerError):
        # Any other, one of these without a time to try again at, or one that is no problem document is a failure.
        is_problem = response.headers.get("content-type") == ["application/problem+json"]
        told_when = "retry-after" in response.headers
        return not (is_problem and told_when and response.json()["code"] in TRY_AGAIN)
    if isinstance(failure, EnsureResourceAvailability):
        # What is private is hidden from its host too, once he has left it.
        return case.path_parameters["id"] not in left
    if isinstance(failure, IgnoredAuth):
        # The request is repeated without the token. 404 refuses too: a private session is hidden from others, and
        # one that was just removed is gone.
        return "`404 " not in failure.message
    return True
