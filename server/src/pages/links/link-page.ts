import { isObject } from '../../../json/index.ts';
import { definitionTexts, fieldTexts } from '../../domain/definition-texts.ts';
import { type Html, html } from '../../domain/html.ts';
import type { Language } from '../../domain/languages.ts';
import type { FoundLink } from '../../store/links.ts';
import { initialDrafts } from './form/drafts.ts';
import { type FormPlan, readableName } from './form/fields.ts';
import { formInputs, problemSummary, type ShownForm } from './form/render.ts';
import { pageText } from './layout.ts';
import { isLarge, shownMoment, shownValue } from './shown-value.ts';
import { textsOf } from './texts.ts';

export interface LinkPage {
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
export function linkPage({ link, plan, language, formToken, sandbox, entered }: LinkPage): string {
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
  const main = html`${problemSummary(form, texts)}
<p class="eyebrow">${texts.invitation}</p>
<h1><bdi>${title}</bdi></h1>
${description !== undefined && html`<p class="lead text" dir="auto">${description}</p>`}
<dl class="facts">
<dt>${texts.about}</dt><dd dir="auto">${link.case.name}</dd>
${contact.name !== null && html`<dt>${texts.addressee}</dt><dd dir="auto">${contact.name}</dd>`}
<dt>${texts.validUntil}</dt><dd>${shownMoment(link.expiresAt, language)}</dd>
</dl>
<form method="post">
<input type="hidden" name="form" value="${formToken}">
${formInputs(form, texts)}${otherParameters(plan, link, language)}<button>${texts.start}</button>
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
