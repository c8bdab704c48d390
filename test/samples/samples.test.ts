import { describe } from 'vitest';
import { attachments } from './attachments.ts';
import { auth } from './auth.ts';
import { links } from './links.ts';
import { memberships } from './memberships.ts';
import { organization } from './organization.ts';
import { parameters } from './parameters.ts';
import { resources } from './resources.ts';
import { sampleStage } from './stage.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';
import { workflows } from './workflows.ts';

// One platform for all: to start one takes longer than its samples.
const stage = await sampleStage();

describe('the samples of', () => {
  describe('auth', () => auth(stage));
  describe('users', () => users(stage));
  describe('organization', () => organization(stage));
  describe('memberships', () => memberships(stage));
  describe('resources', () => resources(stage));
  describe('attachments', () => attachments(stage));
  describe('parameters', () => parameters(stage));
  describe('workflows', () => workflows(stage));
  describe('links', () => links(stage));
  describe('webhooks', () => webhooks(stage));
});
