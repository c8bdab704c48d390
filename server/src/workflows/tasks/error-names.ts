import type { SupportedResource } from './task.ts';

/** The errors of every HTTP call besides `Http.Status.<code>`. */
const ofCalls = ['Http.Refused', 'Http.Failed', 'Http.TooLarge'];
const invalidArguments = 'Wrp.InvalidArguments';
const ofFiles = [invalidArguments, 'Wrp.StorageQuotaExceeded'];

/** The names of the errors that a task reports by itself. A status is `Http.Status.<code>`. */
const names: Record<SupportedResource, readonly string[]> = {
  'wrp:http:call': ['Http.Status.<code>', ...ofCalls, invalidArguments],
  'wrp:resource:create': ofFiles,
  'wrp:attachment:create': [
    ...ofFiles,
    'Wrp.RecordNotFound',
    'Wrp.ResourceNotFound',
    'Wrp.TooManyAttachments',
  ],
  'wrp:mail:send': [invalidArguments],
  'wrp:callback:wait': ['Http.Status.<code>', ...ofCalls, invalidArguments],
};

/** All names that belong to the platform. */
export const platformErrors: readonly string[] = [...new Set(Object.values(names).flat())];

export const errorNamesOf = (resource: string): readonly string[] =>
  names[resource as SupportedResource] ?? [];

/** A name as it is in a list of names: a status that is an error becomes `Http.Status.<code>`. */
export const listedErrorName = (name: string): string =>
  name.replace(/^Http\.Status\.[13-9]\d\d$/, 'Http.Status.<code>');
