"""Uploads a file and downloads it, lists a page of users, asks for one that does not exist, and starts a workflow."""

# The declarations of the guide.
import io
import time
from uuid import UUID, uuid4

from wrp.api.resources import download_resource, upload_resource
from wrp.api.users import get_user
from wrp.api.workflows import get_workflow, get_workflow_result
from wrp.models import ResourceForm
from wrp.types import File

# The calls of the guide.

content = bytes(at % 251 for at in range(100_000))
file = File(payload=io.BytesIO(content), file_name="report.bin", mime_type="application/x-report")
resource = upload_resource.sync(client=client, body=ResourceForm(file=file))
downloaded = download_resource.sync(resource.resource_id, client=client)
assert downloaded.payload.read() == content, "the downloaded bytes differ"

assert len(page.content) == 2, f"the page has {len(page.content)} users"
missing = get_user.sync_detailed(uuid4(), client=client)
assert missing.status_code == 404, f"the status of a missing user is {missing.status_code}"
assert missing.parsed.errors[0].code == "user_not_found", missing.content

assert isinstance(started.id, UUID), f"the id of the started is {started.id!r}"
deadline = time.monotonic() + 30
while get_workflow.sync(started.id, client=client).status == "RUNNING":
    assert time.monotonic() < deadline, "the workflow still runs after 30 seconds"
    time.sleep(0.1)
result = get_workflow_result.sync(started.id, client=client)
assert "2026-0147" in str(result.to_dict()), f"the result is {result}"
