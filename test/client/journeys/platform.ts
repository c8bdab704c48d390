import { api } from '../../support/api.ts';
import { toThisMachine } from '../../webhooks/support.ts';

export const mebibyte = 2 ** 20;

/** One platform for all journeys of this folder: starting one costs more than most of them. */
export const platform = await api({ clock: 'running', uploadLimit: 4 * mebibyte, ...toThisMachine });
