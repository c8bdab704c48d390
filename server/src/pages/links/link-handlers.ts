import { timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { assertClientWaits, clientSignal } from '../../../http-server/index.ts';
import { type Language, languageOf } from '../../domain/languages.ts';
import { linkDigest } from '../../domain/link-addresses.ts';
import { formToken, linkToken, viewOfForm } from '../../domain/link-tokens.ts';
import { type FoundLink, findLink } from '../../store/links.ts';
import {
  type ClosedReason,
  type Confirmation,
  closedReason,
  confirmLink,
  formPlanOf,
  viewDigest,
} from './confirmation.ts';
import {
  isCrossSite,
  languageFor,
  type PageExchange,
  readersLanguage,
  receiveForm,
  redirect,
  sendPage,
} from './exchange.ts';
import type { FormPlan } from './form/fields.ts';
import { prefillErrors } from './form/prefill-errors.ts';
import { readForm } from './form/read.ts';
import { linkPage } from './link-page.ts';
import { noticePage } from './notice-page.ts';
import type { LinkPagesOptions, PageHandler, VerifiedToken } from './options.ts';
import { redisplayName } from './script.ts';
import { textsOf } from './texts.ts';

const statusOf: Record<ClosedReason | 'unknown' | 'invalid' | 'crossSite', number> = {
  used: 410,
  revoked: 410,
  expired: 410,
  notReady: 503,
  unknown: 404,
  invalid: 409,
  crossSite: 403,
};

/** Opening a link, which never uses it up, and confirming it. */
export function linkHandlers(options: LinkPagesOptions): Record<'open' | 'confirm', PageHandler> {
  const { database, key, bodyIdleMs, now } = options;
  const ownOrigins = [options.linkBaseUrl, options.baseUrl].map((url) => new URL(url).origin);
  const isSandbox = (link: FoundLink) => options.sandbox || link.workspace.type === 'SANDBOX';

  const find = async ({ id, token }: VerifiedToken) => {
    const link = await findLink(database, id);
    return link && timingSafeEqual(link.secretSha256, linkDigest(token)) ? link : undefined;
  };

  const refuse = (
    exchange: PageExchange,
    notice: keyof typeof statusOf,
    link?: FoundLink,
    more: { next?: { href: string; text: string } | undefined; details?: string[] } = {},
  ) => {
    const language = languageFor(exchange, link?.definition.defaultLocale);
    const about = link && { organization: link.organization.name, sandbox: isSandbox(link) };
    const headers: Record<string, string> = notice === 'notReady' ? { 'Retry-After': '60' } : {};
    sendPage(exchange, statusOf[notice], noticePage({ notice, language, ...more, ...about }), headers);
  };

  /** After a double click the browser shows the second response, which must lead to the started execution. */
  const refuseClosed = (exchange: PageExchange, reason: ClosedReason, link: FoundLink, view?: string) => {
    const usedHere = view && link.executionId && link.usedByView?.equals(viewDigest(view));
    const { follow } = textsOf[languageFor(exchange, link.definition.defaultLocale)];
    const next = usedHere && { href: progressHref(exchange, link.executionId as string), text: follow };
    refuse(exchange, reason, link, { next: next || undefined });
  };

  /** Returns the form of a link, or refuses a link that cannot be used. */
  const usableForm = async (
    exchange: PageExchange,
    link: FoundLink,
    language: Language,
    view?: string,
  ): Promise<FormPlan | undefined> => {
    const reason = closedReason(link, now());
    if (reason) return void refuseClosed(exchange, reason, link, view);
    const plan = formPlanOf(link, language);
    const { revision } = link.definition;
    const details = revision
      ? await prefillErrors(
          options.schemas,
          revision,
          plan,
          link.parameters,
          textsOf[language],
          clientSignal(exchange.response),
        )
      : [];
    if (details.length === 0) return plan;
    refuse(exchange, 'invalid', link, { details });
  };

  const progressHref = ({ chosen }: PageExchange, executionId: string) =>
    `progress/${linkToken(key, 'progress', executionId)}${chosen ? `?lang=${chosen}` : ''}`;

  const showEntered = async (
    exchange: PageExchange,
    status: 200 | 422,
    { link, plan, ...entered }: Omit<Extract<Confirmation, { kind: 'problems' }>, 'kind'>,
    view: string,
  ) => {
    const language = languageFor(exchange, link.definition.defaultLocale);
    const token = formToken(key, link.id, view);
    const page = linkPage({ link, plan, language, formToken: token, sandbox: isSandbox(link), entered });
    await setImmediate();
    sendPage(exchange, status, page);
  };

  /** The definition's locale, such as fr-CA, is kept if it is the reader's language. */
  const localeOfReader = (exchange: PageExchange, { definition }: FoundLink) => {
    const language = readersLanguage(exchange);
    return exchange.chosen ?? (language === languageOf(definition.defaultLocale) ? undefined : language);
  };

  return {
    async open(exchange, verified) {
      const link = await find(verified);
      if (!link) return refuse(exchange, 'unknown');
      const language = languageFor(exchange, link.definition.defaultLocale);
      const plan = await usableForm(exchange, link, language);
      if (!plan) return;
      const token = formToken(key, link.id);
      // Large parameters take long to check, render and send: each step has its own turn of the event loop.
      await setImmediate();
      const page = linkPage({ link, plan, language, formToken: token, sandbox: isSandbox(link) });
      await setImmediate();
      sendPage(exchange, 200, page);
    },

    async confirm(exchange, verified) {
      const link = await find(verified);
      if (!link) return refuse(exchange, 'unknown');
      const form = await receiveForm(exchange.request, bodyIdleMs);
      const language = languageFor(exchange, link.definition.defaultLocale);
      const view = form && viewOfForm(key, link.id, form.get('form') ?? '');
      // Checked again under the lock. This check does not wait for a concurrent confirmation.
      const plan = await usableForm(exchange, link, language, view);
      if (!plan) return;
      if (!view || isCrossSite(exchange.request, ownOrigins)) {
        const next = { href: `?${exchange.query}`, text: textsOf[language].openAgain };
        return refuse(exchange, 'crossSite', link, { next });
      }
      if (form.has(redisplayName)) {
        const { drafts } = readForm(plan, form, link.parameters ?? {}, textsOf[language]);
        return showEntered(exchange, 200, { link, plan, drafts, problems: new Map() }, view);
      }
      const locale = localeOfReader(exchange, link);
      const assertWanted = () => assertClientWaits(exchange.response);
      const signal = () => clientSignal(exchange.response);
      const confirmed = { linkId: link.id, form, view, language, locale, assertWanted, signal };
      const outcome = await confirmLink(options, confirmed);
      switch (outcome.kind) {
        case 'started':
          return redirect(exchange, progressHref(exchange, outcome.executionId));
        case 'closed':
          return refuseClosed(exchange, outcome.reason, outcome.link, view);
        case 'problems':
          return showEntered(exchange, 422, outcome, view);
      }
    },
  };
}
