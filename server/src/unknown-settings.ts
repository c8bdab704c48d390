import { nearest } from '../../generated/nearest.js';
import { readConfig } from './config.ts';

/**
 * A warning for each variable that nothing reads and whose name is similar to that of a setting, or begins with `WRP_`:
 * it is likely misspelt.
 */
export function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || othersVariables.test(name) || env[name]?.startsWith('tcp://')) return [];
    const near = nearest(name.replace(/^WRP_/, ''), known, 5);
    if (near) return [`${name} is no setting, and has no effect: ${near} is one.`];
    return name.startsWith('WRP_') ? [`${name} is no setting, and has no effect.`] : [];
  });
}

/** Of the AWS SDK, the samples and the client, and what Kubernetes sets for a service named `wrp`. */
const othersVariables = /^AWS_|^WRP_(?:TOKEN|BASE_URL|URL)$|_SERVICE_(?:HOST|PORT)|_PORT_\d+_/;
