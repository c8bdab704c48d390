import { type Html, html } from '../../domain/html.ts';
import { type Language, readableMoment } from '../../domain/languages.ts';
import { isObject } from '../../domain/objects.ts';
import type { FoundLink } from '../../store/links.ts';
import { definitionTexts } from '../../workflows/titles.ts';
import { initialDrafts } from './form/drafts.ts';
import { type FormPlan, readableName } from './form/fields.ts';
import { formInputs, problemSummary, type ShownForm } from './form/render.ts';
import { pageText } from './layout.ts';
import { isLarge, shownValue } from './shown-value.ts';
import { textsOf } from './texts.ts';

export interface LinkPage {
  link: FoundLink;
  plan: FormPlan;
  language: Language;
  /** In the form, to know it again. */
  formToken: string;
  sandbox: boolean;
  /** What came of a first try; the form is new without it. */
  tried?: Pick<ShownForm, 'drafts' | 'problems'>;
}

/** What a link would start, and a form to start it. */
export function linkPage({ link, plan, language, formToken, sandbox, tried }: LinkPage): string {
  const texts = textsOf[language];
  const { organization, definition, contact } = link;
  const { title, description } = definitionTexts(
    { ...definition, uiOptions: definition.revision?.uiOptions },
    language,
  );
  const form: ShownForm = {
    plan,
    language,
    ...(tried ?? { drafts: initialDrafts(plan, link.parameters ?? {}), problems: new Map() }),
  };
  const main = html`${problemSummary(form, texts)}
<p class="eyebrow">${texts.invites}</p>
<h1><bdi>${title}</bdi></h1>
${description !== undefined && html`<p class="lead text" dir="auto">${description}</p>`}
<dl class="facts">
<dt>${texts.about}</dt><dd dir="auto">${link.case.name}</dd>
${contact.name !== null && html`<dt>${texts.addressee}</dt><dd dir="auto">${contact.name}</dd>`}
<dt>${texts.validUntil}</dt><dd>${readableMoment(link.expiresAt, language)}</dd>
</dl>
<form method="post">
<input type="hidden" name="form" value="${formToken}">
${formInputs(form, texts)}${passedOn(plan, link.parameters, language)}<button>${texts.start}</button>
<p class="promise">${texts.promise}</p>
</form>`;
  const prefix = form.problems.size > 0 ? texts.errorTitle : '';
  return pageText({ language, title: `${prefix}${title}`, organization: organization.name, sandbox, main });
}

/** What the parameter set holds beside the fields goes along, so it is shown. */
function passedOn(plan: FormPlan, parameters: unknown, language: Language): Html | false {
  if (plan.kind === 'json' || !isObject(parameters)) return false;
  const names = new Set(plan.fields.map(({ name }) => name));
  const rest = Object.entries(parameters).filter(([name]) => !names.has(name));
  if (rest.length === 0) return false;
  const all = Object.fromEntries(rest);
  const shown = isLarge(all)
    ? shownValue(all, language)
    : html`<dl class="value">${rest.map(
        ([name, value]) => html`<dt>${readableName(name)}</dt><dd>${shownValue(value, language)}</dd>`,
      )}</dl>`;
  return html`<div class="field"><p class="label">${textsOf[language].passedOn}</p>
${shown}</div>
`;
}
