import { describe, expect, test } from 'vitest';
import { normalized } from '../../scripts/spec/breaking/normalized.ts';
import { ownRules } from '../../scripts/spec/breaking/own-rules.ts';
import { type Change, changedBy, contract } from './breaking-cases.ts';

const released = normalized(contract);
const found = (change: Change) => ownRules(released, normalized(changedBy(change)));

const users = '/organizations/users';
const attachments = '/tables/{tableId}/records/{recordId}/attachments';
const workspaces = '/organizations/workspaces';

type Bundle = Parameters<Change>[0];
const schema = ({ components }: Bundle, name: string) => components.schemas[name];
const field = (contract: Bundle, name: string, property: string) =>
  schema(contract, name).properties[property];
const event = ({ webhooks }: Bundle) => webhooks['link.used'].post;
const links = ({ paths }: Bundle) => paths['/workflows'].post.responses[200].links;
const parameter = ({ components }: Bundle, name: string) => components.parameters[name].schema;

/** What changes, what is reported for it, and where. */
type Row = [change: string, apply: Change, rule: string, where: string];

const breaking: Record<string, Row[]> = {
  'an event': [
    [
      'gets another name',
      ({ webhooks }) => {
        webhooks['link.opened'] = webhooks['link.used'];
        delete webhooks['link.used'];
      },
      'path-removed',
      'webhooks link.used',
    ],
    ['is removed', ({ webhooks }) => delete webhooks['link.used'], 'path-removed', 'webhooks link.used'],
    [
      'loses its body',
      (contract) => delete event(contract).requestBody,
      'event-body-lost',
      'webhooks link.used post',
    ],
    [
      'may come without its body',
      (contract) => {
        event(contract).requestBody.required = false;
      },
      'event-body-lost',
      'webhooks link.used post',
    ],
    [
      'loses the schema of its body',
      (contract) => delete event(contract).requestBody.content['application/json'].schema,
      'schema-removed',
      'webhooks link.used post requestBody content application/json',
    ],
    [
      'loses a header',
      (contract) => event(contract).parameters.shift(),
      'event-parameter-lost',
      'webhooks link.used post',
    ],
    [
      'may come without a header',
      ({ components }) => {
        components.parameters.WebhookSignature.required = false;
      },
      'event-parameter-lost',
      'webhooks link.used post',
    ],
    [
      'has a header of any length',
      (contract) => delete parameter(contract, 'WebhookSignature').maxLength,
      'maxLength-removed',
      'webhooks link.used post header Webhook-Signature',
    ],
    [
      'loses the maximum of an integer',
      (contract) => delete field(contract, 'AttachmentCreatedEventData', 'size').maximum,
      'maximum-removed',
      'components schemas AttachmentCreatedEventData properties size',
    ],
    [
      'has an integer beyond what JavaScript can hold',
      (contract) => {
        field(contract, 'AttachmentCreatedEventData', 'size').maximum = 2 ** 53;
      },
      'maximum-raised',
      'components schemas AttachmentCreatedEventData properties size',
    ],
    [
      'has a negative integer',
      (contract) => {
        field(contract, 'AttachmentCreatedEventData', 'size').minimum = -1;
      },
      'minimum-lowered',
      'components schemas AttachmentCreatedEventData properties size',
    ],
    [
      'is of another type',
      (contract) => {
        field(contract, 'LinkUsed', 'type').enum = ['link.opened'];
      },
      'enum-values-removed',
      'components schemas LinkUsed properties type',
    ],
  ],
  'a response': [
    [
      'loses the maximum of an integer',
      (contract) => delete field(contract, 'UserPage', 'size').maximum,
      'maximum-removed',
      'components schemas UserPage properties size',
    ],
    [
      'has an integer beyond 32 bits',
      (contract) => {
        field(contract, 'UserPage', 'size').maximum = 2 ** 31;
      },
      'maximum-raised',
      'components schemas UserPage properties size',
    ],
    [
      'has an integer that is 0',
      (contract) => {
        field(contract, 'UserPage', 'size').minimum = 0;
      },
      'minimum-lowered',
      'components schemas UserPage properties size',
    ],
    [
      'has an integer without a lower bound',
      (contract) => delete field(contract, 'UserPage', 'size').minimum,
      'minimum-lowered',
      'components schemas UserPage properties size',
    ],
    [
      'has a text of any length',
      (contract) => delete field(contract, 'AttachmentLink', 'link').maxLength,
      'maxLength-removed',
      'components schemas AttachmentLink properties link',
    ],
    [
      'has a text that may be empty',
      (contract) => delete field(contract, 'AttachmentLink', 'link').minLength,
      'minLength-lowered',
      'components schemas AttachmentLink properties link',
    ],
    [
      'has a list of any length',
      (contract) => delete field(contract, 'UserPage', 'content').maxItems,
      'maxItems-removed',
      'components schemas UserPage properties content',
    ],
    [
      'has a header with an integer of any size',
      ({ components }) => delete components.headers.RetryAfter.schema.maximum,
      'maximum-removed',
      `${users} get responses 429 headers Retry-After`,
    ],
    [
      'loses its schema',
      ({ paths }) => delete paths[workspaces].get.responses[200].content['application/json'].schema,
      'schema-removed',
      `${workspaces} get responses 200 content application/json`,
    ],
  ],
  'a link of a response': [
    ['is removed', (contract) => delete links(contract).cancel, 'link-removed', '/workflows post'],
    [
      'is removed with all others',
      ({ paths }) => delete paths['/workflows'].post.responses[200].links,
      'link-removed',
      '/workflows post',
    ],
    [
      'leads to another operation',
      (contract) => {
        links(contract).cancel.operationId = 'getWorkflow';
      },
      'link-changed',
      '/workflows post',
    ],
    [
      'takes a parameter from elsewhere',
      (contract) => {
        links(contract).cancel.parameters = { workflowId: '$response.body#/recordId' };
      },
      'link-changed',
      '/workflows post',
    ],
    [
      'loses a parameter',
      (contract) => (links(contract).cancel.parameters = {}),
      'link-changed',
      '/workflows post',
    ],
    [
      'loses its body',
      ({ paths }) => delete paths['/auth/refresh'].post.responses[200].links.refresh['x-request-body'],
      'link-changed',
      '/auth/refresh post',
    ],
  ],
  'a request': [
    [
      'loses the schema of its body',
      ({ paths }) => delete paths['/workflows'].post.requestBody.content['application/json'].schema,
      'schema-removed',
      '/workflows post requestBody content application/json',
    ],
    [
      'takes a text instead of a file',
      (contract) => delete field(contract, 'ResourceForm', 'file').format,
      'format-changed',
      'components schemas ResourceForm properties file',
    ],
    [
      'has another encoding of a list in a form',
      ({ paths }) => {
        paths[attachments].post.requestBody.content['multipart/form-data'].encoding.tags.explode = false;
      },
      'form-encoding-changed',
      `${attachments} post`,
    ],
    [
      'goes to another server than all others',
      ({ paths }) => {
        paths['/workflows'].post.servers = [{ url: 'https://workflows.wrp.example' }];
      },
      'servers-changed',
      '/workflows post',
    ],
    [
      'of a path goes to another server',
      ({ paths }) => {
        paths['/workflows'].servers = [{ url: 'https://workflows.wrp.example' }];
      },
      'servers-changed',
      '/workflows post',
    ],
    [
      'has another default, which the description does not mention',
      (contract) => delete parameter(contract, 'PageSize').default,
      'default-changed',
      `${users} get query size`,
    ],
  ],
};

describe.each(Object.entries(breaking))('a change that breaks clients is reported: %s', (_, rows) => {
  test.each(rows)('%s', (_, change, rule, where) => {
    expect(found(change)).toContainEqual({ rule, where, message: expect.any(String) });
  });
});

const harmless: [change: string, apply: Change][] = [
  [
    'an event gets a further header',
    (contract) =>
      event(contract).parameters.push({
        name: 'X-New',
        in: 'header',
        required: true,
        schema: { type: 'string' },
      }),
  ],
  [
    'a header of an event is always sent',
    ({ components }) => {
      components.parameters.WebhookSandbox.required = true;
    },
  ],
  [
    'a receiver may respond with a further status',
    (contract) => {
      event(contract).responses[404] = { description: 'Unknown.' };
    },
  ],
  [
    'an integer of an event has a lower maximum',
    (contract) => {
      field(contract, 'AttachmentCreatedEventData', 'size').maximum = 1000;
    },
  ],
  [
    'an integer of a response has a higher maximum within 32 bits',
    (contract) => {
      field(contract, 'UserPage', 'size').maximum = 1000;
    },
  ],
  [
    'the exclusive bound of an integer is written as an inclusive one',
    (contract) => {
      const { maximum, ...others } = field(contract, 'UserPage', 'size');
      schema(contract, 'UserPage').properties.size = { ...others, exclusiveMaximum: maximum + 1 };
    },
  ],
  [
    'an integer of a request has no maximum any more',
    (contract) => delete parameter(contract, 'PageSize').maximum,
  ],
  [
    'a text of a request may be empty',
    (contract) => delete field(contract, 'ApiKeyCredentials', 'key').minLength,
  ],
  [
    'a link is added to a response',
    (contract) => {
      links(contract).user = { operationId: 'getUser', parameters: {} };
    },
  ],
  [
    'a link takes a further parameter',
    (contract) => {
      links(contract).cancel.parameters = { ...links(contract).cancel.parameters, other: '$request.path.id' };
    },
  ],
  [
    'the body of a link is in the keyword of OpenAPI',
    ({ paths }) => {
      const { refresh } = paths['/auth/refresh'].post.responses[200].links;
      refresh.requestBody = refresh['x-request-body'];
      delete refresh['x-request-body'];
    },
  ],
  [
    'an operation is at a further server',
    (contract) => {
      contract.paths['/workflows'].post.servers = [...contract.servers, { url: 'https://wrp.example' }];
    },
  ],
  [
    'the description states a default instead of the keyword',
    (contract) => {
      const { default: value, ...others } = parameter(contract, 'PageSize');
      contract.components.parameters.PageSize.schema = {
        ...others,
        description: `Entries. Default: \`${value}\`.`,
      };
    },
  ],
  ['an operation has another tag', ({ paths }) => (paths['/workflows'].post.tags = ['users'])],
];

test.each(harmless)('a change that breaks no client is not reported: %s', (_, change) => {
  expect(found(change)).toEqual([]);
});

test('every event is reported when all of them are renamed', () => {
  const events = Object.keys(contract.webhooks);
  const renamed = found((bundle) => {
    bundle.webhooks = Object.fromEntries(
      Object.entries(bundle.webhooks).map(([name, item]) => [`platform.${name}`, item]),
    );
  });
  expect(renamed.map(({ where }) => where)).toEqual(events.map((name) => `webhooks ${name}`));
});
