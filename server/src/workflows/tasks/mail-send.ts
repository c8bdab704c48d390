import { isMailAddress } from '../../domain/mail-addresses.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { invalid, onlyFields, optionalText, textOf } from './arguments.ts';
import type { Task } from './task.ts';

const longestSubject = 500;

/**
 * `wrp:mail:send`: an e-mail, sent by a job of its own and retried there. Arguments: `to` (one address), `subject`,
 * `text`; `html`. Result: `{to, subject}`.
 */
export function mailSend(jobs: Jobs): Task {
  return {
    kind: 'change',
    async prepare(given, { execution }) {
      onlyFields(given, ['to', 'subject', 'text', 'html']);
      const to = textOf(given, 'to');
      if (!isMailAddress(to)) throw invalid('‘to’ is no e-mail address.');
      const subject = textOf(given, 'subject');
      if (subject.length > longestSubject || /\p{Cc}/u.test(subject))
        throw invalid('‘subject’ is no single line.');
      const text = textOf(given, 'text');
      const html = optionalText(given, 'html');
      const mail = {
        to,
        subject,
        text,
        ...(html !== undefined && { html }),
        workspaceId: execution.workspaceId,
      };
      return {
        result: { to, subject },
        write: (transaction) => jobs.enqueue(transaction, 'mail', mail),
      };
    },
  };
}
