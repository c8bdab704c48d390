"""Uploads a file and downloads it, lists a page of users, asks for one that does not exist, and starts a workflow."""

import io
import os
import time
from uuid import UUID, uuid4

from generated.api.resources import download_resource, upload_resource
from generated.api.users import get_user, list_users
from generated.api.workflows import get_workflow, get_workflow_result, start_workflow
from generated.client import AuthenticatedClient
from generated.models import ResourceForm, WorkflowStart
from generated.types import File

client = AuthenticatedClient(base_url=os.environ["WRP_BASE_URL"], token=os.environ["WRP_TOKEN"], prefix="")

content = bytes(at % 251 for at in range(100_000))
file = File(payload=io.BytesIO(content), file_name="report.bin", mime_type="application/x-report")
resource = upload_resource.sync(client=client, body=ResourceForm(file=file))
downloaded = download_resource.sync(resource.resource_id, client=client)
assert downloaded.payload.read() == content, "the downloaded bytes differ"

page = list_users.sync(client=client, size=2)
assert len(page.content) == 2, f"the page has {len(page.content)} users"
missing = get_user.sync_detailed(uuid4(), client=client)
assert missing.status_code == 404, f"the status of a missing user is {missing.status_code}"
assert missing.parsed.errors[0].code == "user_not_found", missing.content

start = WorkflowStart.from_dict(
    {"workflowDefinitionId": os.environ["DEFINITION_ID"], "parameters": {"claim": "2026-0147"}}
)
execution = start_workflow.sync(client=client, body=start)
assert isinstance(execution.id, UUID), f"the id of the execution is {execution.id!r}"
deadline = time.monotonic() + 30
while get_workflow.sync(execution.id, client=client).status == "RUNNING":
    assert time.monotonic() < deadline, "the workflow still runs after 30 seconds"
    time.sleep(0.1)
result = get_workflow_result.sync(execution.id, client=client)
assert "2026-0147" in str(result.to_dict()), f"the result is {result}"
