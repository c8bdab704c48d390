"""Uploads a file and downloads it, lists a page of users, asks for one that does not exist, and starts a workflow."""

# The declarations of the guide.
import json
import time
from uuid import uuid4

from openapi_client import ResourcesApi
from openapi_client.exceptions import NotFoundException

# The calls of the guide.
resources = ResourcesApi(client)

content = bytes(at % 251 for at in range(100_000))
resource = resources.upload_resource(("report.bin", content))
assert resources.download_resource(resource.resource_id) == content, "the downloaded bytes differ"

assert len(page.content) == 2, f"the page has {len(page.content)} users"

try:
    users.get_user(uuid4())
    raise AssertionError("the user is not missing")
except NotFoundException as refusal:
    assert refusal.data.errors[0].code == "user_not_found", refusal.body

deadline = time.monotonic() + 30
while workflows.get_workflow(started.id).status == "RUNNING":
    assert time.monotonic() < deadline, "the workflow still runs after 30 seconds"
    time.sleep(0.1)
result = workflows.get_workflow_result(started.id)
assert "2026-0147" in json.dumps(result), f"the result is {result}"
