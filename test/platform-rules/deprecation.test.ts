import { describe, expect, test } from 'vitest';
import { type ContractDocument, openContract } from '../../server/contract/index.ts';
import { api } from '../support/api.ts';
import { bundle } from '../support/contract.ts';

const early = { deprecated: true, 'x-deprecated-since': '2026-02-01', 'x-sunset': '2027-03-01' };
const late = { deprecated: true, 'x-deprecated-since': '2026-08-01', 'x-sunset': '2027-02-01' };

const announced = ({ headers }: Response) => [headers.get('deprecation'), headers.get('sunset')];
const none = [null, null];
const earlyDates = ['@1769904000', 'Mon, 01 Mar 2027 00:00:00 GMT'];
const lateDates = ['@1785542400', 'Mon, 01 Feb 2027 00:00:00 GMT'];

const document = deprecatingDocument();
const { owner, member, world } = await api({
  contract: { document, contract: await openContract(document) },
});
const userId = world.owner.id;

describe('what is deprecated in the contract is announced in responses', () => {
  test('of a deprecated operation: in every response to a caller', async () => {
    const response = await owner.fetch('/organizations/roles');
    expect(announced(response)).toEqual(earlyDates);
    expect(response.headers.get('link')).toBe('</docs/versioning>; rel="deprecation"; type="text/html"');
    expect(announced(await member.fetch('/organizations/roles'))).toEqual(earlyDates);
  });

  test('of a deprecated query parameter: if the request has it', async () => {
    expect(announced(await owner.fetch('/organizations/users?page=0'))).toEqual(lateDates);
    expect(announced(await owner.fetch('/organizations/users'))).toEqual(none);
  });

  test('of a deprecated field: if a request or a response has it', async () => {
    const put = (profile: object) =>
      owner.fetch(`/organizations/users/${userId}/profile`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(profile),
      });
    const name = { firstName: 'Ada', lastName: 'Lovelace' };
    expect(announced(await put({ ...name, title: 'Adjuster' }))).toEqual(lateDates);
    expect(announced(await put({ ...name, title: 5 }))).toEqual(none);
    expect(announced(await owner.fetch('/organizations/workspaces'))).toEqual(earlyDates);
    expect(announced(await owner.fetch(`/organizations/users/${userId}`))).toEqual(none);
  });

  test('of several: with the earliest of their dates', async () => {
    const response = await owner.fetch('/organizations/users?page=0&size=5');
    expect(announced(response)).toEqual([earlyDates[0], lateDates[1]]);
  });
});

/** Removes what the contract deprecates today. */
function withoutDeprecation(key: string, value: unknown): unknown {
  return ['deprecated', 'x-deprecated-since', 'x-sunset'].includes(key) ? undefined : value;
}

/** The published contract with only an operation, a parameter and two fields deprecated. */
function deprecatingDocument(): ContractDocument {
  // biome-ignore lint/suspicious/noExplicitAny: reaches into any part of the document
  const changed: any = JSON.parse(JSON.stringify(bundle), withoutDeprecation);
  const { paths, components } = changed;
  Object.assign(paths['/organizations/roles'].get, early);
  Object.assign(components.parameters.Page, late);
  Object.assign(components.parameters.PageSize, early);
  Object.assign(components.schemas.Workspace.properties.description, early);
  const { properties } = components.schemas.ProfileUpdate;
  properties.title = { allOf: [properties.title], ...late };
  return changed;
}
