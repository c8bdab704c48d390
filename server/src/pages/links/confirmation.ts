import { createHash } from 'node:crypto';
import type { Json } from '../../../json/index.ts';
import { transact } from '../../../postgres-client/index.ts';
import type { Language } from '../../domain/languages.ts';
import { recordEvent } from '../../store/events.ts';
import { type FoundLink, findLink, useLink } from '../../store/links.ts';
import { checksWithin } from '../../workflows/start.ts';
import { checkParameters } from './form/check.ts';
import type { Drafts, FormPlan } from './form/fields.ts';
import { formPlanOf } from './form/prefill.ts';
import { type FormProblems, readForm } from './form/read.ts';
import type { FormFields, LinkPagesOptions } from './page-context.ts';
import { textsOf } from './texts.ts';

/** Why a link cannot be used. */
export type ClosedReason = 'used' | 'revoked' | 'expired' | 'archived' | 'notReady';

/** @returns undefined if the link can be used */
export function closedReason(
  { usedAt, revokedAt, expiresAt, definition }: FoundLink,
  now: Date,
): ClosedReason | undefined {
  if (usedAt) return 'used';
  if (revokedAt) return 'revoked';
  if (now >= expiresAt) return 'expired';
  if (definition.isArchived) return 'archived';
  return definition.revision ? undefined : 'notReady';
}

export type Confirmation =
  | { kind: 'started'; executionId: string }
  | { kind: 'closed'; reason: ClosedReason; link: FoundLink }
  | { kind: 'problems'; link: FoundLink; plan: FormPlan; drafts: Drafts; problems: FormProblems };

/** The digest of a page view, which is stored when the link is confirmed on it. */
export const viewDigest = (view: string) => createHash('sha256').update(view).digest();

/**
 * Starts the execution of a link and marks the link as used, in one transaction: exactly one of several concurrent
 * confirmations starts it. An invalid form does not use up the link.
 */
export function confirmLink(
  { database, startExecution, schemas, now }: LinkPagesOptions,
  {
    linkId,
    form,
    view,
    language,
    locale,
    assertWanted,
    signal,
  }: {
    linkId: string;
    form: FormFields;
    /** Identifies the page view with the form. */
    view: string;
    language: Language;
    /** The reader's language. Default: the locale of the definition. */
    locale: string | undefined;
    /** Called in the transaction; throws to cancel it. */
    assertWanted: () => void;
    /** Aborted when the client has gone. */
    signal: () => AbortSignal;
  },
): Promise<Confirmation> {
  return transact(
    database,
    async (transaction) => {
      assertWanted();
      const time = now();
      const link = (await findLink(transaction, linkId, { lock: true })) as FoundLink;
      const reason = closedReason(link, time);
      const { revision } = link.definition;
      if (reason || !revision) return { kind: 'closed', reason: reason ?? 'notReady', link };
      const plan = formPlanOf(link, language);
      const texts = textsOf[language];
      const { drafts, parameters, problems } = readForm(plan, form, link.parameters ?? {}, texts);
      for (const [name, sentence] of await checkParameters(
        checksWithin(schemas, transaction),
        revision,
        plan,
        parameters,
        texts,
      )) {
        if (!problems.has(name)) problems.set(name, sentence);
      }
      if (problems.size > 0) return { kind: 'problems', link, plan, drafts, problems };

      const outcome = await startExecution(transaction, {
        workflowDefinitionId: link.definition.id,
        parameters: parameters as Json,
        ...(locale && { locale }),
        ...(link.case.recordId && { recordId: link.case.recordId }),
        executionType: 'INTERACTIVE',
        origin: { workspaceId: link.case.workspaceId, type: 'LINK' },
        resultOrigin: { ...(link.contact.email && { email: link.contact.email }), type: 'LINK' },
        startedBy: link.createdBy,
      });
      // The definition may have a new revision since it was read. The next attempt reads that one.
      if (outcome.kind === 'parameters_mismatch')
        return { kind: 'problems', link, plan, drafts, problems: new Map([['', texts.openAgain]]) };
      if (outcome.kind === 'archived_definition') return { kind: 'closed', reason: 'archived', link };
      if (outcome.kind !== 'started') throw new Error(`Link ${linkId} cannot be started: ${outcome.kind}.`);
      const { id: executionId } = outcome.execution;
      await useLink(transaction, linkId, { executionId, view: viewDigest(view), now: time });
      await recordEvent(transaction, {
        type: 'link.used',
        organizationId: link.organization.id,
        workspaceId: link.workspace.id,
        data: {
          linkId,
          caseId: link.case.id,
          workflowDefinitionId: link.definition.id,
          workflowId: executionId,
        },
        now: time,
      });
      return { kind: 'started', executionId };
    },
    signal,
  );
}
