import { timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Language } from '../../domain/languages.ts';
import { linkDigest } from '../../domain/link-addresses.ts';
import { formToken, linkToken, viewOfForm } from '../../domain/link-tokens.ts';
import { type FoundLink, findLink } from '../../store/links.ts';
import {
  type Closed,
  type Confirmation,
  closedBy,
  linkConfirmation,
  planOf,
  viewDigest,
} from './confirmation.ts';
import {
  isForeign,
  languageFor,
  type PageExchange,
  receiveForm,
  sendElsewhere,
  sendPage,
} from './exchange.ts';
import { parameterCheck } from './form/check.ts';
import type { FormPlan } from './form/fields.ts';
import { prefillErrors } from './form/prefill-errors.ts';
import { linkPage } from './link-page.ts';
import { type Notice, noticePage } from './notice-page.ts';
import type { GenuineToken, LinkPagesOptions, Visit } from './options.ts';
import { textsOf } from './texts.ts';

const statusOf: Record<Closed | 'unknown' | 'unfit' | 'foreign', number> = {
  ...{ used: 410, revoked: 410, expired: 410 },
  ...{ unready: 503, unknown: 404, unfit: 409, foreign: 403 },
};

/** Opening a link, which uses nothing up however often it is done and by whom, and confirming on its page. */
export function linkVisits(options: LinkPagesOptions): Record<'open' | 'confirm', Visit> {
  const { database, key, bodyIdleMs, now } = options;
  const findUnfit = prefillErrors(options.schemas);
  const confirmLink = linkConfirmation({ ...options, check: parameterCheck(options.schemas) });
  const ownOrigins = [options.linkBaseUrl, options.baseUrl].map((url) => new URL(url).origin);
  const isSandbox = (link: FoundLink) => options.sandbox || link.workspace.type === 'SANDBOX';

  const find = async ({ id, token }: GenuineToken) => {
    const link = await findLink(database, id);
    return link && timingSafeEqual(link.secretSha256, linkDigest(token)) ? link : undefined;
  };

  const refuse = (
    exchange: PageExchange,
    notice: Notice & keyof typeof statusOf,
    link?: FoundLink,
    more: { next?: { href: string; text: string } | undefined; details?: string[] } = {},
  ) => {
    const language = languageFor(exchange, link?.definition.defaultLocale);
    const about = link && { organization: link.organization.name, sandbox: isSandbox(link) };
    const headers: Record<string, string> = notice === 'unready' ? { 'Retry-After': '60' } : {};
    sendPage(exchange, statusOf[notice], noticePage({ notice, language, ...more, ...about }), headers);
  };

  /** What stands against a link that no person could mend on its page. */
  const unfitness = async (
    { definition, parameters }: FoundLink,
    plan: FormPlan,
    language: Language,
  ): Promise<string[]> =>
    definition.revision ? findUnfit(definition.revision, plan, parameters, textsOf[language]) : [];

  /** Whoever clicked twice gets the second answer: the way to what the first click started has to be in it. */
  const refuseClosed = (exchange: PageExchange, by: Closed, link: FoundLink, view: string | undefined) => {
    const own = view && link.executionId && link.usedByView?.equals(viewDigest(view));
    const { follow } = textsOf[languageFor(exchange, link.definition.defaultLocale)];
    const next = own && { href: progressHref(exchange, link.executionId as string), text: follow };
    refuse(exchange, by, link, { next: next || undefined });
  };

  const progressHref = ({ chosen }: PageExchange, executionId: string) =>
    `progress/${linkToken(key, 'progress', executionId)}${chosen ? `?lang=${chosen}` : ''}`;

  const showProblems = async (
    exchange: PageExchange,
    { link, plan, ...tried }: Extract<Confirmation, { kind: 'problems' }>,
    view: string,
  ) => {
    const language = languageFor(exchange, link.definition.defaultLocale);
    const token = formToken(key, link.id, view);
    const page = linkPage({ link, plan, language, formToken: token, sandbox: isSandbox(link), tried });
    await setImmediate();
    sendPage(exchange, 422, page);
  };

  return {
    async open(exchange, genuine) {
      const link = await find(genuine);
      if (!link) return refuse(exchange, 'unknown');
      const by = closedBy(link, now());
      if (by) return refuse(exchange, by, link);
      const language = languageFor(exchange, link.definition.defaultLocale);
      const plan = planOf(link, language);
      const details = await unfitness(link, plan, language);
      if (details.length > 0) return refuse(exchange, 'unfit', link, { details });
      const form = formToken(key, link.id);
      // A large parameter set takes long to check, to show and to send: each in a turn of the event loop of its own.
      await setImmediate();
      const page = linkPage({ link, plan, language, formToken: form, sandbox: isSandbox(link) });
      await setImmediate();
      sendPage(exchange, 200, page);
    },

    async confirm(exchange, genuine) {
      const link = await find(genuine);
      if (!link) return refuse(exchange, 'unknown');
      const form = await receiveForm(exchange.request, bodyIdleMs);
      const language = languageFor(exchange, link.definition.defaultLocale);
      const view = form && viewOfForm(key, link.id, form.get('form') ?? '');
      // Without waiting for a confirmation that is under way.
      const by = closedBy(link, now());
      if (by) return refuseClosed(exchange, by, link, view);
      const details = await unfitness(link, planOf(link, language), language);
      if (details.length > 0) return refuse(exchange, 'unfit', link, { details });
      if (!view || isForeign(exchange.request, ownOrigins)) {
        const { openAgain } = textsOf[language];
        return refuse(exchange, 'foreign', link, { next: { href: `?${exchange.query}`, text: openAgain } });
      }
      const locale = exchange.chosen;
      const outcome = await confirmLink({ linkId: link.id, form, view, language, locale });
      switch (outcome.kind) {
        case 'started':
          return sendElsewhere(exchange, progressHref(exchange, outcome.executionId));
        case 'closed':
          return refuseClosed(exchange, outcome.by, outcome.link, view);
        case 'problems':
          return showProblems(exchange, outcome, view);
      }
    },
  };
}
