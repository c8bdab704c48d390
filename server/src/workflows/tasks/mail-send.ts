import { isMailAddress } from '../../domain/mail-addresses.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { currentTraceparent } from '../../tracing/trace.ts';
import { invalid, onlyFields, optionalText, type Task, textOf } from './task.ts';

const maxSubjectLength = 500;

/**
 * `wrp:mail:send`: sends an e-mail in a job of its own, which retries. Arguments: `to` (one address), `subject`,
 * `text`; `html`. Result: `{to, subject}`.
 */
export function mailSend(jobs: Jobs): Task {
  return {
    kind: 'change',
    async prepare(args, { execution }) {
      onlyFields(args, ['to', 'subject', 'text', 'html']);
      const to = textOf(args, 'to');
      if (!isMailAddress(to)) throw invalid('‘to’ is not an e-mail address.');
      const subject = textOf(args, 'subject');
      if (subject.length > maxSubjectLength || /\p{Cc}/u.test(subject))
        throw invalid('‘subject’ must be one line.');
      const text = textOf(args, 'text');
      const html = optionalText(args, 'html');
      const { id: executionId, workspaceId } = execution;
      const mail = { to, subject, text, ...(html !== undefined && { html }), workspaceId, executionId };
      return {
        result: { to, subject },
        write: (transaction) =>
          jobs.enqueue(transaction, 'mail', { ...mail, traceparent: currentTraceparent() }),
      };
    },
  };
}
