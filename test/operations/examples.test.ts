import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../server/src/config.ts';

const operations = join(import.meta.dirname, '../../server/operations');
const read = (file: string) => readFileSync(join(operations, file), 'utf8');

/** The names of the variables that the configuration reads, and what they are read as. */
function configured(given: Record<string, string>) {
  const names = new Set<string>();
  const env = new Proxy(given, {
    get(target, name) {
      names.add(String(name));
      return target[String(name)];
    },
  });
  return { config: readConfig(env), names };
}

const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
const manifest = (kind: string, name: string) =>
  documents.find((each) => each.kind === kind && each.metadata.name === name);
const settings = manifest('ConfigMap', 'wrp').data as Record<string, string>;
const secret = [...read('kubernetes.yaml').matchAll(/--from-literal ([A-Z0-9_]+)=/g)].map(
  ([, name]) => name ?? '',
);
const deployments = ['serve', 'work'].map((part) => manifest('Deployment', `wrp-${part}`).spec.template.spec);

const image = Object.fromEntries(
  [...readFileSync(join(operations, '../Containerfile'), 'utf8').matchAll(/([A-Z_]+)=([^\s"$]+)/g)].map(
    ([, name, value]) => [name, value],
  ),
) as Record<string, string>;
/** Open requests may take this long after the grace, rounded up. */
const drainSeconds = 5;

describe('the manifests for Kubernetes', () => {
  const { config, names } = configured({ ...image, ...settings, DATABASE_URL: 'postgres://db/wrp' });

  test('set variables that the platform reads', () => {
    expect(secret.length).toBeGreaterThan(3);
    expect([...Object.keys(settings), ...secret].filter((name) => !names.has(name))).toEqual([]);
  });

  test('name the ports that the platform listens on', () => {
    const [serve, work] = deployments.map((pod) =>
      Object.fromEntries(
        pod.containers[0].ports.map((port: { name: string; containerPort: number }) => [
          port.name,
          port.containerPort,
        ]),
      ),
    );
    expect(serve).toEqual({ ...config.ports, metrics: config.metricsPort });
    expect(work).toEqual({ metrics: config.metricsPort });
    for (const { port, targetPort } of manifest('Service', 'wrp').spec.ports)
      expect(serve?.[targetPort]).toBe(port);
  });

  test.each(deployments.map((pod) => [pod.containers[0].args[0], pod]))(
    'let %s end in its own time, and are of the restricted security standard',
    (_part, pod) => {
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        config.shutdownGraceSeconds + drainSeconds,
      );
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [container] = pod.containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => `${mountPath}/`);
      expect(mounts.some((path: string) => config.dataDirectory.startsWith(path))).toBe(true);
    },
  );
});

const drain = (grace: number) => grace + drainSeconds;

test('compose sets variables that the platform reads, and lets its processes end in their own time', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const variables = services.server.environment;
  const { config, names } = configured({
    ...image,
    ...variables,
    SERVER_KEY: 'x'.repeat(43),
    PUBLIC_URL: '',
    SANDBOX_PUBLIC_URL: '',
  });
  expect(Object.keys(variables).filter((name) => !names.has(name))).toEqual([]);
  expect(Number.parseInt(services.server.stop_grace_period, 10)).toBeGreaterThanOrEqual(
    drain(config.shutdownGraceSeconds),
  );
});

test('systemd lets a process end in its own time', () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('wrp@.service')) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(drain(readConfig({}).shutdownGraceSeconds));
});

test.each(['nginx.conf', 'haproxy.cfg'])('%s names the default ports', (file) => {
  const named = [...read(file).matchAll(/server:(\d+)/g)].map(([, port]) => Number(port));
  expect(new Set(named)).toEqual(new Set(Object.values(readConfig({}).ports)));
});
