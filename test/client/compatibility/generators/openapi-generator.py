"""Uploads a file and downloads it, lists a page of users, asks for one that does not exist, and starts a workflow."""

import json
import os
import time
from uuid import uuid4

import openapi_client
from openapi_client.exceptions import NotFoundException

configuration = openapi_client.Configuration(
    host=os.environ["WRP_BASE_URL"], api_key={"organizationToken": os.environ["WRP_TOKEN"]}
)
client = openapi_client.ApiClient(configuration)
resources = openapi_client.ResourcesApi(client)
workflows = openapi_client.WorkflowsApi(client)
users = openapi_client.UsersApi(client)

content = bytes(at % 251 for at in range(100_000))
resource = resources.upload_resource(("report.bin", content))
assert resources.download_resource(resource.resource_id) == content, "the downloaded bytes differ"

page = users.list_users(size=2)
assert len(page.content) == 2, f"the page has {len(page.content)} users"

try:
    users.get_user(uuid4())
    raise AssertionError("the user is not missing")
except NotFoundException as refusal:
    assert refusal.data.errors[0].code == "user_not_found", refusal.body

start = openapi_client.WorkflowStart(
    workflow_definition_id=os.environ["DEFINITION_ID"], parameters={"claim": "2026-0147"}
)
execution = workflows.start_workflow(start)
deadline = time.monotonic() + 30
while workflows.get_workflow(execution.id).status == "RUNNING":
    assert time.monotonic() < deadline, "the workflow still runs after 30 seconds"
    time.sleep(0.1)
result = workflows.get_workflow_result(execution.id)
assert "2026-0147" in json.dumps(result), f"the result is {result}"
