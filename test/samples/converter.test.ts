import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { parseCurl } from '../../scripts/generate/samples/curl.ts';
import { goSample } from '../../scripts/generate/samples/go.ts';
import { guideSamples } from '../../scripts/generate/samples/guides.ts';
import { pythonSample } from '../../scripts/generate/samples/python.ts';
import { routesOf } from '../../server/contract/index.ts';

const created = String.raw`curl "$WRP_BASE_URL/rooms/$ROOM_ID/keys?copies=2" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: key-$RANDOM" \
  -d @- <<JSON
{"holder": "$USER_ID", "doors": ["east", null, true], "note": "for {\"$NAME\"}"}
JSON`;

describe('the request of a cURL sample', () => {
  test('has its method, query, headers and body', () => {
    expect(parseCurl(created)).toEqual({
      method: 'POST',
      url: '$WRP_BASE_URL/rooms/$ROOM_ID/keys',
      query: [['copies', '2']],
      headers: [
        ['Authorization', '$WRP_TOKEN'],
        ['Idempotency-Key', 'key-$RANDOM'],
      ],
      json: { holder: '$USER_ID', doors: ['east', null, true], note: 'for {"$NAME"}' },
    });
  });

  test.each([
    ['a GET', 'curl "$WRP_BASE_URL/a"', { method: 'GET' }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
    ['an identifier', 'curl --path-as-is "$WRP_BASE_URL/a/${B_ID:?}"', { url: '$WRP_BASE_URL/a/$B_ID' }],
    ['a method of its own', 'curl -X DELETE "$WRP_BASE_URL/a"', { method: 'DELETE' }],
    ['a file that the response goes to', 'curl "$WRP_BASE_URL/a" -o a.pdf', { output: 'a.pdf' }],
    ['an apostrophe in quotes', String.raw`curl x -d '{"a": "it'\''s"}'`, { json: { a: "it's" } }],
    [
      'a form',
      'curl x -F "file=@a.jpg;type=image/jpeg" -F "tags=front"',
      {
        method: 'POST',
        form: [
          { name: 'file', file: 'a.jpg', type: 'image/jpeg' },
          { name: 'tags', text: 'front' },
        ],
      },
    ],
  ])('may be %s', (_what, sample, request) => {
    expect(parseCurl(sample)).toMatchObject(request);
  });

  test.each([
    ['curl -k https://example.com', 'the option -k'],
    ['wget https://example.com', 'begin with "curl"'],
    [`curl x -d '{"a": "$B"}'`, 'cannot be read from'],
    ['curl x -H "Idempotency-Key: $(date +%s)"', 'cannot be read from'],
    ['curl x | jq .id', 'one request, without "|"'],
  ])('cannot be %s', (sample, message) => {
    expect(() => parseCurl(sample)).toThrow(message);
  });
});

test('a cURL sample becomes a Python program', () => {
  expect(pythonSample(parseCurl(created), 'json')).toBe(`import json
import os
import uuid

import requests

base_url = os.environ["WRP_BASE_URL"]
token = os.environ["WRP_TOKEN"]
room_id = str(uuid.UUID(os.environ["ROOM_ID"]))
user_id = os.environ["USER_ID"]
name = os.environ["NAME"]

response = requests.post(
    f"{base_url}/rooms/{room_id}/keys",
    params={"copies": 2},
    headers={"Authorization": token, "Idempotency-Key": f"key-{uuid.uuid4()}"},
    json={
        "holder": user_id,
        "doors": ["east", None, True],
        "note": f"for {{\\"{name}\\"}}",
    },
    timeout=30,
)
if not response.ok:
    raise requests.HTTPError(response.text, response=response)

result = response.json()
print(json.dumps(result, indent=2))`);
});

test('a cURL sample becomes a Go program', () => {
  const program = goSample(parseCurl(created), 'none');
  expect(program).toContain(`	body, err := json.Marshal(map[string]any{
		"holder": userID,
		"doors":  []any{"east", nil, true},
		"note":   "for {\\"" + name + "\\"}",
	})
	if err != nil {
		log.Fatal(err)
	}

	endpoint := baseURL + "/rooms/" + url.PathEscape(roomID) + "/keys?copies=2"
	request, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
`);
  expect(program).toContain('request.Header.Set("Idempotency-Key", "key-"+rand.Text())');
  expect(program).not.toContain('fmt.');
});

test('a converted sample reads a response without a body only to report an error', () => {
  const python = pythonSample(parseCurl('curl -X DELETE "$WRP_BASE_URL/a"'), 'none');
  expect(python.split('\n').at(-1)).toBe('    raise requests.HTTPError(response.text, response=response)');
});

describe('a shell block of a guide', () => {
  const routes = routesOf(contract as unknown as Contract);
  const labels = (block: string) => guideSamples(block, routes).map(({ label }) => label);
  const list = 'curl -s "$WRP_BASE_URL/organizations/workspaces" -H "Authorization: $WRP_TOKEN"';

  test.each([
    ['one request', list],
    ['a request whose response is shown', `FOUND=$(${list})\necho "$FOUND"`],
    [
      'a request whose response is used later',
      `FOUND=$(${list})\nexport ID=$(node -p 'JSON.parse(process.argv[1])[0].id' "$FOUND")`,
    ],
    ['a download from a URL of a response', 'curl -sL "$LINK" -o a.txt'],
  ])('has equivalents: %s', (_what, block) => {
    expect(labels(block)).toEqual(['Python', 'Go']);
  });

  test('sets its variables from the response of the program', () => {
    const uses = `echo "$FOUND"\nexport ID=$(node -p 'JSON.parse(process.argv[1])[0].id' "$FOUND")`;
    const [python, go] = guideSamples(`FOUND=$(${list}\n)\n${uses}`, routes).map(({ source }) => source);
    expect(python).toMatch(/^cat > request\.py <<'EOF'\nimport json\n[\s\S]*\nEOF\nFOUND=/);
    expect(python?.endsWith(`FOUND=$(python3 request.py)\n${uses}`)).toBe(true);
    expect(go?.endsWith(`FOUND=$(go run request.go)\n${uses}`)).toBe(true);
  });

  test.each([
    ['two requests', `${list}\n${list}`],
    ['a variable', `export A=b\n${list}`],
    ['a loop', `for i in 1 2; do ${list}; done`],
    ['a pipe', `${list} | jq .`],
    ['a path that is no operation', 'curl -s "$WRP_BASE_URL/docs/quick-start.md"'],
    ['another server', 'curl http://127.0.0.1:8081/mcp -d "{}"'],
    ['an installation', 'npm install "$WRP_BASE_URL/docs/wrp-client-3.0.0.tgz"'],
  ])('stays in the shell: %s', (_what, block) => {
    expect(labels(block)).toEqual([]);
  });
});
