import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { advice, changing, recording, ruleNames } from './support/advice.ts';
import { operations } from './support/contract.ts';
import { assertAccepted, requestsOf, toSend } from './support/requests.ts';

/** Every change records an event in its transaction, as its webhook declares, unless the contract says why not. */
const api = await startApi();
const requests = requestsOf(api);

test.each(changing)('$id records an event, or the contract says why not', async (operation) => {
  const valid = await requests.valid(operation);
  const events = await eventsOf(api.database, async () => {
    assertAccepted(operation, await requests.send(toSend(valid)));
  });
  if (recording.includes(operation)) expect(events.length, advice('event', operation)).toBeGreaterThan(0);
  else {
    const how = `${operation.id} records an event: take \`x-no-event\` out of spec/paths/${operation.resource}.yaml`;
    expect(events, how).toEqual([]);
  }
});

test.each(ruleNames)('the advice on %s names only files that exist', (rule) => {
  for (const operation of operations) {
    const files = advice(rule, operation).match(/\b(?:spec|server|test)\/[\w./-]+\.(?:ts|yaml)/g) ?? [];
    // A resource without fields or events of its own has no such file yet: the advice is to add it.
    const existing = files.filter((file) => !/^spec\/(?:schemas|webhooks)\//.test(file));
    expect(existing.filter((file) => !existsSync(file))).toEqual([]);
  }
});
