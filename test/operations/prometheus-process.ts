import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { prometheus } from '../support/prometheus-programs.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { rulesFile } from './alert-cases.ts';

/** Alerts that fire, by name, with their labels. */
export type FiringAlerts = () => Promise<Record<string, Record<string, string>[]>>;

/**
 * A Prometheus that evaluates the alert rules on these processes each second. A minute of the rules is three seconds, and
 * alerts fire at once.
 *
 * @returns undefined if this machine has no Prometheus
 */
export async function startPrometheus(ports: number[]): Promise<FiringAlerts | undefined> {
  if (!prometheus) return undefined;
  const directory = mkdtempSync(join(temporaryRoot(), 'wrp-prometheus-'));
  const rules = readFileSync(rulesFile, 'utf8')
    .replaceAll(/^ +for: .*\n/gm, '')
    .replaceAll(/\[(\d+)m\]/g, (_, minutes) => `[${Number(minutes) * 3}s]`);
  writeFileSync(join(directory, 'rules.yaml'), rules);
  const targets = ports.map((port) => `127.0.0.1:${port}`);
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'wrp', static_configs: [{ targets }] }],
  };
  writeFileSync(join(directory, 'prometheus.yaml'), stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    '--config.file=prometheus.yaml',
    '--storage.tsdb.path=data',
    `--web.listen-address=${address}`,
  ];
  const child = spawn(prometheus, args, { cwd: directory, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return async () => {
    const response = await fetch(`http://${address}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } & Record<string, string> }[] };
    };
    const firing = data.alerts.filter(({ state }) => state === 'firing');
    return Object.groupBy(
      firing.map(({ labels }) => labels),
      ({ alertname }) => alertname,
    ) as Awaited<ReturnType<FiringAlerts>>;
  };
}
