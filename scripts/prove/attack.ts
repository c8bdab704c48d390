/** Attacks the platform in every way that SECURITY.md promises to resist, and measures its responsiveness meanwhile. */
import { type Group, runGroup } from './attack/attack.ts';
import { escalations } from './attack/escalations.ts';
import { forgedCredentials } from './attack/forged-credentials.ts';
import { openHealthCheck } from './attack/health.ts';
import { hostileDefinitions, hostileWorkflows } from './attack/hostile-workflows.ts';
import { hostileExpressions } from './attack/inputs/expressions.ts';
import { malformedForms } from './attack/malformed-forms.ts';
import {
  callDefinitions,
  type Inside,
  openInside,
  privateCalls,
  webhookUrls,
} from './attack/private-addresses.ts';
import { redirects } from './attack/redirects.ts';
import { stallDefinitions, stalls } from './attack/stalls.ts';
import { type Definition, openTargets } from './attack/target.ts';
import { withPlatform } from './platform.ts';
import { type Proof, runProofs } from './proof.ts';

await runProofs({
  name: 'attack',
  description: `Sends what an attacker would send to a platform of its own, in production and in the sandbox, while another
process requests /healthz of both every 10 ms. Each attack must get its expected response, and /healthz must respond
within 250 ms. Takes up to five minutes.`,
  options: {
    only: { description: 'run only the groups whose name contains this text', full: '' },
    expressions: {
      description: 'how many hostile expressions are tried, each of which takes up to 5 seconds of CPU time',
      full: hostileExpressions.length,
      quick: 20,
    },
  },
  prove: async ({ only, expressions }, { progress, signal }) => {
    using inside = await openInside();
    const isChosen = ({ tried }: Group) => tried.includes(only);
    const refused = [...stalls, escalations, privateCalls(inside), malformedForms, forgedCredentials];
    const definitions = [...stallDefinitions, ...callDefinitions, ...hostileDefinitions];
    const groups = [...refused, ...hostileWorkflows(expressions)].filter(isChosen);
    const attacked = { groups, definitions, webhooks: webhookUrls(inside), progress, signal };
    const proofs = groups.length > 0 ? await attack({ ...attacked, allowPrivate: false }) : [];
    return [...proofs, ...(await attackWithRedirects(inside, isChosen, attacked))];
  },
});

interface Attacked {
  groups: readonly Group[];
  definitions: readonly Definition[];
  webhooks: readonly string[];
  progress(line: string): void;
  signal: AbortSignal;
}

/** Only a platform that may call this machine can be redirected by a server of this machine. */
async function attackWithRedirects(
  inside: Inside,
  isChosen: (group: Group) => boolean,
  attacked: Attacked,
): Promise<Proof[]> {
  using redirecting = await redirects(inside);
  const { group } = redirecting;
  if (!isChosen(group)) return [];
  return await attack({
    ...attacked,
    groups: [group],
    definitions: callDefinitions,
    webhooks: [],
    allowPrivate: true,
  });
}

async function attack({
  groups,
  definitions,
  webhooks,
  progress,
  signal,
  allowPrivate,
}: Attacked & { allowPrivate: boolean }): Promise<Proof[]> {
  // Attacks that are refused for their number would prove nothing.
  const limits = ['AUTH_RATE_LIMIT', 'REFUSED_ATTEMPTS'];
  const settings = {
    ...Object.fromEntries(limits.map((name) => [`${name}_PER_MINUTE`, '1000000'])),
    WEBHOOK_ALLOW_PRIVATE: String(allowPrivate),
  };
  return withPlatform({ settings }, async (platform, dataDirectory) => {
    using health = openHealthCheck(platform);
    await using attacked = await openTargets(platform, dataDirectory, definitions, webhooks);
    const { targets } = attacked;
    const proofs: Proof[] = [];
    for (const group of groups) {
      const started = performance.now();
      const proof = await runGroup(group, targets, health, signal);
      const seconds = Math.round((performance.now() - started) / 1000);
      progress(`${group.tried}: ${proof.failures.length || 'none'} failed, ${seconds} s`);
      proofs.push(proof);
    }
    return proofs;
  });
}
