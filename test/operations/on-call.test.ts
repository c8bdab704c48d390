import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../scripts/portal/markdown/render.ts';
import { runWrp } from '../support/wrp.ts';
import { alertCases, alertRules } from './alert-cases.ts';

const guide = readFileSync(new URL('../../spec/guides/on-call.md', import.meta.url), 'utf8');
const { sections } = renderMarkdown(guide, { title: 'On call', linkTo: (href) => href });
const names = alertRules.map(({ alert }) => alert);

describe.each(alertRules)('the alert $alert', ({ alert, annotations }) => {
  test('has a section of the guide that says what it means, where to look and what to do', () => {
    const [, text] = new RegExp(`^### ${alert}\n\n(.+?)\n(?=\n##)`, 'ms').exec(guide) ?? [];
    expect(text, `write the section "### ${alert}" in spec/guides/on-call.md`).toMatch(
      /^- \*\*Means:\*\* .+\n- \*\*Look:\*\* .+\n- \*\*Do:\*\* .+$/,
    );
  });

  test('links to that section in the portal', () => {
    const { id } = sections.find(({ title }) => title === alert) ?? {};
    expect(annotations.runbook_url).toBe(`{{ $externalLabels.wrp_portal }}/docs/on-call#${id}`);
  });

  test('has a case in test/operations/alert-cases.ts in which it fires, and one in which it does not', () => {
    const cases = alertCases.filter((one) => one.alert === alert);
    expect(new Set(cases.map(({ fires }) => fires !== undefined))).toEqual(new Set([true, false]));
  });
});

test('the guide and the cases name only alerts that exist', () => {
  const described = sections.filter(({ level }) => level === 3).map(({ title }) => title);
  expect(described).toEqual(names);
  for (const { alert } of alertCases) expect(names).toContain(alert);
});

const commands = [...new Set([...guide.matchAll(/`npx wrp ([^`]+)`/g)].map(([, words = '']) => words))];

test.each(commands)('npx wrp %s of the guide is a command with these options', async (words) => {
  const named = words.match(/^[a-z]+(?: [a-z-]+)?(?= |$)/)?.[0].split(' ') ?? [];
  const { status, stdout } = await runWrp([...named, '--help']);
  expect([status, stdout]).toEqual([0, expect.stringMatching(`^Usage: wrp ${named.join(' ')} `)]);
  for (const [option] of words.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(`${option} `);
});
