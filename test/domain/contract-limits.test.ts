import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { profileTextLimit } from '../../server/src/domain/profile.ts';
import { tagLimits } from '../../server/src/workflows/tasks/attachment-create.ts';

const { components } = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const { PersonName, JobTitle, Tag, Tags } = components.schemas;

test('a profile in Unicode NFC may be as long as the contract says', () => {
  expect([PersonName.maxLength, JobTitle.maxLength]).toEqual([profileTextLimit, profileTextLimit]);
});

test('a workflow may set as many and as long tags as an upload', () => {
  expect({ count: Tags.maxItems, characters: Tag.maxLength }).toEqual(tagLimits);
});
