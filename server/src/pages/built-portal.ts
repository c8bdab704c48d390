import { readFile } from 'node:fs/promises';
import { buildPortal, portalPolicy } from '../../../scripts/portal.ts';
import type { PortalPage } from './portal.ts';

/** The portal of the contract as it stands, built where it was not built before. */
export async function builtPortal(): Promise<PortalPage> {
  const html = await readFile(await buildPortal());
  return { html, policy: portalPolicy(html.toString()) };
}
