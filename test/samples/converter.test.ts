import { describe, expect, test } from 'vitest';
import { parseCurl } from '../../scripts/generate/samples/curl.ts';
import { goSample } from '../../scripts/generate/samples/go.ts';
import { pythonSample } from '../../scripts/generate/samples/python.ts';

const created = String.raw`curl "$BASE_URL/rooms/$ROOM_ID/keys?copies=2" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: key-$RANDOM" \
  -d @- <<JSON
{"holder": "$USER_ID", "doors": ["east", null, true], "note": "for {\"$NAME\"}"}
JSON`;

describe('the request of a cURL sample', () => {
  test('has its method, query, headers and body', () => {
    expect(parseCurl(created)).toEqual({
      method: 'POST',
      url: '$BASE_URL/rooms/$ROOM_ID/keys',
      query: [['copies', '2']],
      headers: [
        ['Authorization', '$TOKEN'],
        ['Idempotency-Key', 'key-$RANDOM'],
      ],
      json: { holder: '$USER_ID', doors: ['east', null, true], note: 'for {"$NAME"}' },
    });
  });

  test.each([
    ['a GET', 'curl "$BASE_URL/a"', { method: 'GET' }],
    ['a method of its own', 'curl -X DELETE "$BASE_URL/a"', { method: 'DELETE' }],
    ['a file that the response goes to', 'curl "$BASE_URL/a" -o a.pdf', { output: 'a.pdf' }],
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
  ])('cannot be %s', (sample, message) => {
    expect(() => parseCurl(sample)).toThrow(message);
  });
});

test('becomes a Python program', () => {
  expect(pythonSample(parseCurl(created), 'json')).toBe(`import json
import os
import uuid

import requests

base_url = os.environ["BASE_URL"]
token = os.environ["TOKEN"]
room_id = os.environ["ROOM_ID"]
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

test('becomes a Go program', () => {
  const program = goSample(parseCurl(created), 'none');
  expect(program).toContain(`	body, err := json.Marshal(map[string]any{
		"holder": userID,
		"doors":  []any{"east", nil, true},
		"note":   "for {\\"" + name + "\\"}",
	})
	if err != nil {
		log.Fatal(err)
	}

	url := baseURL + "/rooms/" + roomID + "/keys?copies=2"
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
`);
  expect(program).toContain('request.Header.Set("Idempotency-Key", "key-"+rand.Text())');
  expect(program).not.toContain('fmt.');
});

test('reads a response without a body only to report an error', () => {
  const python = pythonSample(parseCurl('curl -X DELETE "$BASE_URL/a"'), 'none');
  expect(python.split('\n').at(-1)).toBe('    raise requests.HTTPError(response.text, response=response)');
});
