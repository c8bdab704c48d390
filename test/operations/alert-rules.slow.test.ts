import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { promtool } from '../support/prometheus-programs.ts';
import { snippetsOfPage } from '../support/snippets.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { type AlertCase, alertCases, alertRules, interval, rulesFile } from './alert-cases.ts';

const rules = fileURLToPath(rulesFile);
const portal = 'https://api.example.com';

describe.skipIf(!promtool)('promtool, which .ci/run unpacks from the Debian package prometheus,', () => {
  test('accepts the alert rules', () => {
    expect(execFileSync(promtool as string, ['check', 'rules', rules], { encoding: 'utf8' })).toContain(
      `SUCCESS: ${alertRules.length} rules found`,
    );
  });

  test('accepts the configuration in the guide', async () => {
    const directory = mkdtempSync(join(temporaryRoot(), 'wrp-alert-'));
    const [shown] = (await snippetsOfPage('spec/guides/on-call.md')).filter(
      ({ language }) => language === 'yaml',
    );
    copyFileSync(rules, join(directory, 'alert-rules.yaml'));
    writeFileSync(join(directory, 'prometheus.yaml'), shown?.code ?? '');
    const checked = execFileSync(promtool as string, ['check', 'config', 'prometheus.yaml'], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect(checked).toContain(`SUCCESS: ${alertRules.length} rules found`);
  });

  test.each(alertCases.map((one) => ({ ...one, verb: one.fires ? 'fires' : 'does not fire' })))(
    'finds that $alert $verb if $when',
    (one) => {
      const file = join(mkdtempSync(join(temporaryRoot(), 'wrp-alert-')), 'test.yaml');
      writeFileSync(file, stringify(ruleTest(one)));
      const { status, stdout, stderr } = spawnSync(promtool as string, ['test', 'rules', file], {
        encoding: 'utf8',
      });
      expect(status, `${stdout}${stderr}`).toBe(0);
    },
  );
});

/** @see https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/ */
function ruleTest({ alert, series, at, fires }: AlertCase): object {
  const rule = alertRules.find((one) => one.alert === alert);
  if (!rule) throw new Error(`There is no alert ${alert}.`);
  const rendered = (text: string) =>
    text
      .replaceAll(/\{\{ \$labels\.(\w+) }}/g, (_, label) => fires?.labels[label] ?? '')
      .replaceAll('{{ $value }}', fires?.value ?? '')
      .replaceAll('{{ $externalLabels.wrp_portal }}', portal);
  const { summary, runbook_url } = rule.annotations;
  const annotations = { summary: rendered(summary), runbook_url: rendered(runbook_url) };
  const alerts = fires && [{ exp_labels: { ...rule.labels, ...fires.labels }, exp_annotations: annotations }];
  return {
    rule_files: [rules],
    evaluation_interval: interval,
    tests: [
      {
        interval,
        external_labels: { wrp_portal: portal },
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: alerts ?? [] }],
      },
    ],
  };
}
