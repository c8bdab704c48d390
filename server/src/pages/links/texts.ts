import { jsonBodyLimit } from '../../../http-bodies/index.ts';
import type { Language } from '../../domain/languages.ts';
import { validDays } from '../../store/links.ts';
import { retentionMilliseconds } from '../../workflows/ending.ts';

const keptDays = retentionMilliseconds / 86_400_000;
const formMegabytes = jsonBodyLimit / 2 ** 20;

const en = {
  languageName: 'English',
  languages: 'Language',
  /** Separates a label from its value. */
  colon: ': ',
  sandbox: 'Test mode: nothing on this page has a real effect.',
  about: 'About',
  addressee: 'For',
  validUntil: 'Link valid until',
  submit: 'Submit',
  /** Of a page without inputs. */
  confirm: 'Confirm',
  promise: 'Nothing has been submitted yet. You can use this link only once.',
  otherParameters: 'Also included',
  json: 'Details (JSON)',
  jsonHint: 'A JSON object. Change it only if you know what to enter.',
  jsonFieldHint: 'JSON, for example ["a", "b"] or {"key": "value"}.',
  optional: 'optional',
  choose: 'Please choose',
  yes: 'Yes',
  no: 'No',
  noAnswer: 'No answer',
  none: 'None',
  utc: 'Time in UTC',
  local: 'Your local time',
  between: (least: string | undefined, most: string | undefined) =>
    least && most ? `From ${least} to ${most}` : least ? `At least ${least}` : `At most ${most}`,
  errorTitle: 'Error: ',
  problems: 'There is a problem',
  problem: {
    required: 'Please fill this in.',
    choose: 'Please choose one.',
    agree: 'You must tick this box.',
    number: 'Enter a number.',
    whole: 'Enter a whole number.',
    json: 'This is not valid JSON.',
    unstorable: 'This contains characters or numbers that cannot be stored, or too many nested levels.',
    unchecked: 'This is too large or too complex to check.',
    least: (limit: string) => `Enter ${limit} or more.`,
    most: (limit: string) => `Enter ${limit} or less.`,
    above: (limit: string) => `Enter more than ${limit}.`,
    below: (limit: string) => `Enter less than ${limit}.`,
    step: (step: string) => `Enter a multiple of ${step}.`,
    shortest: (count: number) => `Enter at least ${count} ${count === 1 ? 'character' : 'characters'}.`,
    longest: (count: number) => `Enter at most ${count} ${count === 1 ? 'character' : 'characters'}.`,
    pattern: 'The format is not valid.',
    date: 'Enter a date, for example 2026-11-30.',
    'date-time': 'Enter a date and a time, for example 2026-11-30T14:30:00Z.',
    time: 'Enter a time, for example 14:30:00Z.',
    email: 'Enter an email address, for example name@example.com.',
    uri: 'Enter a URL, for example https://example.com.',
    format: 'The format is not valid.',
    unexpected: (name: string) => `“${name}” is not allowed here.`,
    other: (detail: string) => `This is not valid: ${detail}.`,
  },
  notice: {
    unknown: {
      title: 'Link not found',
      text: 'The address is wrong or incomplete. Copy the whole link from your message, or ask for a new one.',
    },
    expired: {
      title: 'This link has expired',
      text: `Links are valid for ${validDays} days. Ask the person who sent it for a new one.`,
    },
    used: {
      title: 'This link has already been used',
      text: 'You can use a link only once. To submit again, ask for a new link.',
    },
    revoked: {
      title: 'This link has been withdrawn',
      text: 'The person who sent it has withdrawn it. Contact them if you think this is a mistake.',
    },
    archived: {
      title: 'This form is no longer available',
      text: 'It is no longer in use, so nothing can be submitted. Contact the person who sent you the link.',
    },
    notReady: {
      title: 'This form is not available yet',
      text: 'The link stays valid: try again later.',
    },
    invalid: {
      title: 'This link cannot be used',
      text: 'It contains values that are not valid, and you cannot change them here. Ask the person who sent it for a new link.',
    },
    crossSite: {
      title: 'Submit the form on the page itself',
      text: 'Your browser did not send this form from our page, so nothing was submitted. Open the page again and submit it there.',
    },
    large: {
      title: 'Too much data',
      text: `Your input is larger than ${formMegabytes} MB. Nothing was submitted. Go back and shorten it.`,
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Try again in a minute. The link is still valid unless the page says that it has been used.',
    },
    gone: {
      title: 'Page not found',
      text: 'The address is wrong or incomplete, or the page has been deleted.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Too many wrong links were opened from your network. Wait a minute, then open the link from your message.',
    },
  },
  openAgain: 'Open the page again',
  follow: 'You submitted it: view the progress',
  reference: 'Reference',
  started: 'Submitted',
  ended: 'Ended',
  keepAddress: 'Save the address of this page: you need it to come back.',
  refreshing: (seconds: number) => `This page refreshes every ${seconds} seconds.`,
  stopRefreshing: 'Stop refreshing',
  resumeRefreshing: 'Refresh automatically',
  refresh: 'Refresh now',
  status: {
    RUNNING: { title: 'Running', text: 'It is in progress. You can close this page and come back later.' },
    COMPLETED: { title: 'Completed', text: 'It is complete.' },
    FAILED: {
      title: 'Failed',
      text: 'It could not be completed. Contact the person who sent you the link, and quote the reference below.',
    },
    CANCELLED: { title: 'Cancelled', text: 'It was cancelled.' },
    EXPIRED: { title: 'Expired', text: 'It was not completed in time.' },
  },
  result: 'Result',
  download: 'Download as JSON',
  tooLarge: (size: string) => `The result is too large to display (${size}).`,
  resultGone: `The result has been deleted. Results are kept for ${keptDays} days.`,
  empty: 'Empty',
};

export type Texts = typeof en;

/** French has a no-break space (`\u00a0`) before a colon and inside quotation marks. */
const fr: Texts = {
  languageName: 'Français',
  languages: 'Langue',
  colon: '\u00a0: ',
  sandbox: 'Mode test\u00a0: rien sur cette page n’a d’effet réel.',
  about: 'Objet',
  addressee: 'Pour',
  validUntil: 'Lien valable jusqu’au',
  submit: 'Envoyer',
  confirm: 'Confirmer',
  promise: 'Rien n’est encore envoyé. Vous ne pouvez utiliser ce lien qu’une seule fois.',
  otherParameters: 'Également transmis',
  json: 'Détails (JSON)',
  jsonHint: 'Un objet JSON. Ne le modifiez que si vous savez quoi saisir.',
  jsonFieldHint: 'Du JSON, par exemple ["a", "b"] ou {"clé": "valeur"}.',
  optional: 'facultatif',
  choose: 'Veuillez choisir',
  yes: 'Oui',
  no: 'Non',
  noAnswer: 'Sans réponse',
  none: 'Aucun',
  utc: 'Heure en UTC',
  local: 'Votre heure locale',
  between: (least, most) =>
    least && most ? `De ${least} à ${most}` : least ? `Au moins ${least}` : `Au plus ${most}`,
  errorTitle: 'Erreur\u00a0: ',
  problems: 'Il y a un problème',
  problem: {
    required: 'Veuillez remplir ce champ.',
    choose: 'Veuillez choisir une réponse.',
    agree: 'Vous devez cocher cette case.',
    number: 'Saisissez un nombre.',
    whole: 'Saisissez un nombre entier.',
    json: 'Ce JSON n’est pas valide.',
    unstorable:
      'La saisie contient des caractères ou des nombres qui ne peuvent pas être enregistrés, ou trop de niveaux imbriqués.',
    unchecked: 'Ces données sont trop volumineuses ou trop complexes pour être vérifiées.',
    least: (limit) => `Saisissez ${limit} ou plus.`,
    most: (limit) => `Saisissez ${limit} ou moins.`,
    above: (limit) => `Saisissez plus de ${limit}.`,
    below: (limit) => `Saisissez moins de ${limit}.`,
    step: (step) => `Saisissez un multiple de ${step}.`,
    shortest: (count) => `Saisissez au moins ${count} ${count === 1 ? 'caractère' : 'caractères'}.`,
    longest: (count) => `Saisissez au plus ${count} ${count === 1 ? 'caractère' : 'caractères'}.`,
    pattern: 'Le format n’est pas valide.',
    date: 'Saisissez une date, par exemple 2026-11-30.',
    'date-time': 'Saisissez une date et une heure, par exemple 2026-11-30T14:30:00Z.',
    time: 'Saisissez une heure, par exemple 14:30:00Z.',
    email: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
    uri: 'Saisissez une URL, par exemple https://example.com.',
    format: 'Le format n’est pas valide.',
    unexpected: (name) => `«\u00a0${name}\u00a0» n’est pas autorisé ici.`,
    other: (detail) => `Cette saisie n’est pas valide\u00a0: ${detail}.`,
  },
  notice: {
    unknown: {
      title: 'Lien introuvable',
      text: 'L’adresse est erronée ou incomplète. Copiez le lien entier depuis le message reçu, ou demandez-en un nouveau.',
    },
    expired: {
      title: 'Ce lien a expiré',
      text: `Les liens sont valables ${validDays} jours. Demandez-en un nouveau à la personne qui vous l’a envoyé.`,
    },
    used: {
      title: 'Ce lien a déjà été utilisé',
      text: 'Un lien ne peut être utilisé qu’une seule fois. Pour un nouvel envoi, demandez-en un nouveau.',
    },
    revoked: {
      title: 'Ce lien a été annulé',
      text: 'La personne qui l’a envoyé l’a annulé. Contactez-la si vous pensez qu’il s’agit d’une erreur.',
    },
    archived: {
      title: 'Ce formulaire n’est plus disponible',
      text: 'Il n’est plus utilisé\u00a0: rien ne peut être envoyé. Contactez la personne qui vous a envoyé le lien.',
    },
    notReady: {
      title: 'Ce formulaire n’est pas encore disponible',
      text: 'Le lien reste valable\u00a0: réessayez plus tard.',
    },
    invalid: {
      title: 'Ce lien est inutilisable',
      text: 'Il contient des valeurs non valides, et vous ne pouvez pas les modifier ici. Demandez un nouveau lien à la personne qui vous l’a envoyé.',
    },
    crossSite: {
      title: 'Envoyez le formulaire depuis la page elle-même',
      text: 'Votre navigateur n’a pas envoyé ce formulaire depuis notre page\u00a0: rien n’a été transmis. Rouvrez la page et envoyez-le.',
    },
    large: {
      title: 'Saisie trop volumineuse',
      text: `Votre saisie dépasse ${formMegabytes} Mo. Rien n’a été transmis. Revenez en arrière et raccourcissez-la.`,
    },
    failed: {
      title: 'Une erreur s’est produite de notre côté',
      text: 'Réessayez dans une minute. Le lien reste valable, sauf si la page indique qu’il a été utilisé.',
    },
    gone: {
      title: 'Page introuvable',
      text: 'L’adresse est erronée ou incomplète, ou la page a été supprimée.',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text: 'Trop de liens erronés ont été ouverts depuis votre réseau. Patientez une minute, puis ouvrez le lien depuis le message reçu.',
    },
  },
  openAgain: 'Rouvrir la page',
  follow: 'Vous avez envoyé ce formulaire\u00a0: voir l’avancement',
  reference: 'Référence',
  started: 'Envoyé le',
  ended: 'Terminé le',
  keepAddress: 'Conservez l’adresse de cette page\u00a0: vous en aurez besoin pour y revenir.',
  refreshing: (seconds) => `Cette page s’actualise toutes les ${seconds} secondes.`,
  stopRefreshing: 'Arrêter l’actualisation',
  resumeRefreshing: 'Actualiser automatiquement',
  refresh: 'Actualiser maintenant',
  status: {
    RUNNING: {
      title: 'En cours',
      text: 'La démarche est en cours. Vous pouvez fermer cette page et revenir plus tard.',
    },
    COMPLETED: { title: 'Terminé', text: 'La démarche est terminée.' },
    FAILED: {
      title: 'Échec',
      text: 'La démarche n’a pas pu aboutir. Contactez la personne qui vous a envoyé le lien, en indiquant la référence ci-dessous.',
    },
    CANCELLED: { title: 'Annulé', text: 'La démarche a été annulée.' },
    EXPIRED: { title: 'Expiré', text: 'La démarche n’a pas été terminée à temps.' },
  },
  result: 'Résultat',
  download: 'Télécharger en JSON',
  tooLarge: (size) => `Le résultat est trop volumineux pour être affiché ici (${size}).`,
  resultGone: `Le résultat a été supprimé. Les résultats sont conservés ${keptDays} jours.`,
  empty: 'Vide',
};

/** The texts of the link pages. */
export const textsOf: Record<Language, Texts> = { en, fr };
