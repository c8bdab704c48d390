import { createHash } from 'node:crypto';
import type { Json } from '../../domain/json.ts';
import type { Language } from '../../domain/languages.ts';
import type { Database } from '../../store/database.ts';
import { recordEvent } from '../../store/events.ts';
import { type FoundLink, findLink, useLink } from '../../store/links.ts';
import type { StartExecution } from '../../workflows/start.ts';
import { fieldTexts } from '../../workflows/titles.ts';
import type { SentForm } from './exchange.ts';
import type { ParameterCheck } from './form/check.ts';
import { type Drafts, initialValue } from './form/drafts.ts';
import { type Field, type FormPlan, planForm } from './form/fields.ts';
import { type FormProblems, readForm } from './form/read.ts';
import { textsOf } from './texts.ts';

/** Why a link starts nothing. */
export type Closed = 'used' | 'revoked' | 'expired' | 'unready';

/** @returns undefined for a link that can be used */
export function closedBy(
  { usedAt, revokedAt, expiresAt, definition }: FoundLink,
  now: Date,
): Closed | undefined {
  if (usedAt) return 'used';
  if (revokedAt) return 'revoked';
  if (now >= expiresAt) return 'expired';
  return definition.revision ? undefined : 'unready';
}

/**
 * The form of a link, in a language; only of one that can be used. What is not to be changed can still be entered
 * where it has no value yet.
 */
export function planOf({ definition, parameters }: FoundLink, language: Language): FormPlan {
  const { revision, defaultLocale } = definition;
  const texts = fieldTexts({ uiOptions: revision?.uiOptions, defaultLocale }, language);
  const plan = planForm(revision?.inputSchema, texts);
  if (plan.kind === 'json') return plan;
  const hasValue = (field: Field) => initialValue(field, parameters) !== undefined;
  const fields = plan.fields.map((field) => ({ ...field, readOnly: field.readOnly && hasValue(field) }));
  return { kind: 'fields', fields };
}

export type Confirmation =
  | { kind: 'started'; executionId: string }
  | { kind: 'closed'; by: Closed; link: FoundLink }
  | { kind: 'problems'; link: FoundLink; plan: FormPlan; drafts: Drafts; problems: FormProblems };

export interface Confirming {
  linkId: string;
  form: SentForm;
  /** Of the page that the form was on. */
  view: string;
  language: Language;
  /** That the person chose; the definition's own without it. */
  locale: string | undefined;
}

/** What is stored of the view on which a link was confirmed. */
export const viewDigest = (view: string) => createHash('sha256').update(view).digest();

/**
 * Starts what a link is for and uses the link up, in one transaction: of any number of confirmations at once
 * one starts it, and what is wrong with the form uses nothing up.
 */
export function linkConfirmation({
  database,
  startExecution,
  check,
  now,
}: {
  database: Database;
  startExecution: StartExecution;
  check: ParameterCheck;
  now(): Date;
}): (confirming: Confirming) => Promise<Confirmation> {
  return ({ linkId, form, view, language, locale }) =>
    database.transaction().execute(async (transaction) => {
      const at = now();
      const link = (await findLink(transaction, linkId, { lock: true })) as FoundLink;
      const by = closedBy(link, at);
      const { revision } = link.definition;
      if (by || !revision) return { kind: 'closed', by: by ?? 'unready', link };
      const plan = planOf(link, language);
      const texts = textsOf[language];
      const { drafts, parameters, problems } = readForm(plan, form, link.parameters ?? {}, texts);
      for (const [name, sentence] of await check(revision, plan, parameters, texts)) {
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
      // The definition may have got another revision since it was read: the next try sees that one.
      if (outcome.kind === 'parameters_mismatch') {
        const found = outcome.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim());
        return { kind: 'problems', link, plan, drafts, problems: new Map([['', found.join('; ')]]) };
      }
      if (outcome.kind !== 'started') throw new Error(`The link ${linkId} starts nothing: ${outcome.kind}.`);
      const { id: executionId } = outcome.execution;
      await useLink(transaction, linkId, { executionId, view: viewDigest(view), now: at });
      await recordEvent(transaction, {
        type: 'link.used',
        organizationId: link.organization.id,
        workspaceId: link.workspace.id,
        data: {
          ...{ linkId, caseId: link.case.id },
          ...{ workflowDefinitionId: link.definition.id, workflowId: executionId },
        },
        now: at,
      });
      return { kind: 'started', executionId };
    });
}
