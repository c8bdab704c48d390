import { timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { assertClientWaits, clientSignal } from '../../../http-server/index.ts';
import { isObject } from '../../../json/index.ts';
import { definitionTexts, fieldTexts } from '../../domain/definition-texts.ts';
import { type Html, html } from '../../domain/html.ts';
import { type Language, languageOf } from '../../domain/languages.ts';
import { formToken, linkDigest, linkToken, viewOfForm } from '../../domain/link-tokens.ts';
import { type FoundLink, findLink } from '../../store/links.ts';
import {
  type ClosedReason,
  type Confirmation,
  closedReason,
  confirmLink,
  viewDigest,
} from './confirmation.ts';
import { type FormPlan, initialDrafts, readableName } from './form/fields.ts';
import { formPlanOf, prefillProblems } from './form/prefill.ts';
import { readForm } from './form/read.ts';
import { formInputs, problemSummary, type ShownForm } from './form/render.ts';
import { pageText, redisplayName } from './layout.ts';
import { noticePage } from './notice-page.ts';
import {
  isCrossSite,
  type LinkPagesOptions,
  languageFor,
  type PageContext,
  type PageHandler,
  readersLanguage,
  receiveForm,
  redirect,
  sendPage,
  type VerifiedToken,
} from './page-context.ts';
import { isLarge, shownMoment, shownValue } from './shown-value.ts';
import { textsOf } from './texts.ts';

const statusOf: Record<ClosedReason | 'unknown' | 'invalid' | 'crossSite', number> = {
  used: 410,
  revoked: 410,
  expired: 410,
  archived: 410,
  notReady: 503,
  unknown: 404,
  invalid: 409,
  crossSite: 403,
};

/** Opening a link, which never uses it up, and confirming it. */
export function linkHandlers(options: LinkPagesOptions): Record<'open' | 'confirm', PageHandler> {
  const { database, keys, bodyIdleMs, now } = options;
  const ownOrigins = [options.linkBaseUrl, options.baseUrl].map((url) => new URL(url).origin);
  const isSandbox = (link: FoundLink) => options.sandbox || link.workspace.type === 'SANDBOX';

  const find = async ({ id, token }: VerifiedToken) => {
    const link = await findLink(database, id);
    return link && timingSafeEqual(link.secretSha256, linkDigest(token)) ? link : undefined;
  };

  const refuse = (
    context: PageContext,
    notice: keyof typeof statusOf,
    link?: FoundLink,
    next?: { href: string; text: string },
  ) => {
    const language = languageFor(context, link?.definition.defaultLocale);
    const about = link && { organization: link.organization.name, sandbox: isSandbox(link) };
    const headers: Record<string, string> = notice === 'notReady' ? { 'Retry-After': '60' } : {};
    sendPage(context, statusOf[notice], noticePage({ notice, language, next, ...about }), headers);
  };

  /** After a double click the browser shows the second response, which must lead to the started execution. */
  const refuseClosed = (context: PageContext, reason: ClosedReason, link: FoundLink, view?: string) => {
    const usedHere = view && link.executionId && link.usedByView?.equals(viewDigest(view));
    const { follow } = textsOf[languageFor(context, link.definition.defaultLocale)];
    const next = usedHere && { href: progressHref(context, link.executionId as string), text: follow };
    refuse(context, reason, link, next || undefined);
  };

  /** Returns the form of a link, or refuses a link that cannot be used. */
  const usableForm = async (
    context: PageContext,
    link: FoundLink,
    language: Language,
    view?: string,
  ): Promise<FormPlan | undefined> => {
    const reason = closedReason(link, now());
    if (reason) return void refuseClosed(context, reason, link, view);
    // What is wrong is not for a stranger: it names the parameters.
    const signal = clientSignal(context.response);
    const problems = await prefillProblems(options.schemas, link, language, signal);
    if (problems.length === 0) return formPlanOf(link, language);
    refuse(context, 'invalid', link);
  };

  const progressHref = ({ chosen }: PageContext, executionId: string) =>
    `progress/${linkToken(keys.current, 'progress', executionId)}${chosen ? `?lang=${chosen}` : ''}`;

  const showEntered = async (
    context: PageContext,
    status: 200 | 422,
    { link, plan, ...entered }: Omit<Extract<Confirmation, { kind: 'problems' }>, 'kind'>,
    view: string,
  ) => {
    const language = languageFor(context, link.definition.defaultLocale);
    const token = formToken(keys.current, link.id, view);
    const page = linkPage({ link, plan, language, formToken: token, sandbox: isSandbox(link), entered });
    await setImmediate();
    sendPage(context, status, page);
  };

  /** The definition's locale, such as fr-CA, is kept if it is the reader's language. */
  const localeOfReader = (context: PageContext, { definition }: FoundLink) => {
    const language = readersLanguage(context);
    return context.chosen ?? (language === languageOf(definition.defaultLocale) ? undefined : language);
  };

  return {
    async open(context, verified) {
      const link = await find(verified);
      if (!link) return refuse(context, 'unknown');
      const language = languageFor(context, link.definition.defaultLocale);
      const plan = await usableForm(context, link, language);
      if (!plan) return;
      const token = formToken(keys.current, link.id);
      // Large parameters take long to check, render and send: each step has its own turn of the event loop.
      await setImmediate();
      const page = linkPage({ link, plan, language, formToken: token, sandbox: isSandbox(link) });
      await setImmediate();
      sendPage(context, 200, page);
    },

    async confirm(context, verified) {
      const link = await find(verified);
      if (!link) return refuse(context, 'unknown');
      const form = await receiveForm(context.request, bodyIdleMs);
      const language = languageFor(context, link.definition.defaultLocale);
      const view = form && viewOfForm(keys, link.id, form.get('form') ?? '');
      // Checked again under the lock. This check does not wait for a concurrent confirmation.
      const plan = await usableForm(context, link, language, view);
      if (!plan) return;
      if (!view || isCrossSite(context.request, ownOrigins)) {
        const next = { href: `?${context.query}`, text: textsOf[language].openAgain };
        return refuse(context, 'crossSite', link, next);
      }
      if (form.has(redisplayName)) {
        const { drafts } = readForm(plan, form, link.parameters ?? {}, textsOf[language]);
        return showEntered(context, 200, { link, plan, drafts, problems: new Map() }, view);
      }
      const locale = localeOfReader(context, link);
      const assertWanted = () => assertClientWaits(context.response);
      const signal = () => clientSignal(context.response);
      const confirmed = { linkId: link.id, form, view, language, locale, assertWanted, signal };
      const outcome = await confirmLink(options, confirmed);
      switch (outcome.kind) {
        case 'started':
          return redirect(context, progressHref(context, outcome.executionId));
        case 'closed':
          return refuseClosed(context, outcome.reason, outcome.link, view);
        case 'problems':
          return showEntered(context, 422, outcome, view);
      }
    },
  };
}

interface LinkPage {
  link: FoundLink;
  plan: FormPlan;
  language: Language;
  /** Identifies this view of the form. */
  formToken: string;
  sandbox: boolean;
  /** What was entered, and its problems. Default: the initial values. */
  entered?: Pick<ShownForm, 'drafts' | 'problems'>;
}

/** Renders what a link starts, with the form to start it. */
function linkPage({ link, plan, language, formToken, sandbox, entered }: LinkPage): string {
  const texts = textsOf[language];
  const { organization, definition, contact } = link;
  const { title, description } = definitionTexts(
    { ...definition, uiOptions: definition.revision?.uiOptions },
    language,
  );
  const form: ShownForm = {
    plan,
    language,
    ...(entered ?? { drafts: initialDrafts(plan, link.parameters ?? {}), problems: new Map() }),
  };
  const hasInputs = plan.kind === 'json' || plan.fields.some(({ readOnly }) => !readOnly);
  const main = html`${problemSummary(form, texts)}
<h1><bdi>${title}</bdi></h1>
${description !== undefined && html`<p class="lead text" dir="auto">${description}</p>`}
<dl class="facts">
<dt>${texts.about}</dt><dd dir="auto">${link.case.name}</dd>
${contact.name !== null && html`<dt>${texts.addressee}</dt><dd dir="auto">${contact.name}</dd>`}
<dt>${texts.validUntil}</dt><dd>${shownMoment(link.expiresAt, language)}</dd>
</dl>
<form method="post">
<input type="hidden" name="form" value="${formToken}">
${formInputs(form, texts)}${otherParameters(plan, link, language)}<button>${hasInputs ? texts.submit : texts.confirm}</button>
<p class="promise">${texts.promise}</p>
</form>`;
  const prefix = form.problems.size > 0 ? texts.errorTitle : '';
  return pageText({ language, title: `${prefix}${title}`, organization: organization.name, sandbox, main });
}

/** Shows the parameters without a field, which are sent too. */
function otherParameters(
  plan: FormPlan,
  { parameters, definition }: FoundLink,
  language: Language,
): Html | false {
  if (plan.kind === 'json' || !isObject(parameters)) return false;
  const names = new Set(plan.fields.map(({ name }) => name));
  const rest = Object.entries(parameters).filter(([name]) => !names.has(name));
  if (rest.length === 0) return false;
  const all = Object.fromEntries(rest);
  const { revision, defaultLocale } = definition;
  const texts = fieldTexts({ uiOptions: revision?.uiOptions, defaultLocale }, language);
  const shown = { language, texts };
  const values = isLarge(all)
    ? shownValue(all, shown)
    : html`<dl class="value">${rest.map(
        ([name, value]) =>
          html`<dt>${texts(name).title ?? readableName(name)}</dt><dd>${shownValue(value, shown)}</dd>`,
      )}</dl>`;
  return html`<div class="field"><p class="label">${textsOf[language].otherParameters}</p>
${values}</div>
`;
}
