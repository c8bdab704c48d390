import { api } from '../../support/api.ts';
import { toThisMachine } from '../../webhooks/support.ts';

export const mebibyte = 2 ** 20;

/** Shared by all files of this folder, because starting a platform takes longer than most of their tests. */
export const platform = await api({ clock: 'running', uploadLimit: 4 * mebibyte, ...toThisMachine });
