/**
 * Changes of the contract, each as a change to the bundle: those that break a client written against the one
 * before, and those that do not.
 */

import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: the bundle is changed in ways that its types would not allow.
type Bundle = any;
export type Change = (contract: Bundle) => void;

const users = '/organizations/users';
const role = '/organizations/users/{userId}/role';
const terminate = '/organizations/users/{userId}/terminate';
const schema = (contract: Bundle, name: string) => contract.components.schemas[name];
const profile = '/organizations/users/{userId}/profile';
const upload = ({ paths }: Bundle) => paths['/resources'].post.requestBody.content['multipart/form-data'];

/** Changes the contract that both versions start from, so that it has what a case changes. */
const basis: Change = (contract) => {
  const { properties } = schema(contract, 'ProfileUpdate');
  schema(contract, 'ProfileUpdate').required = ['firstName', 'lastName', 'title'];
  delete schema(contract, 'ProfileUpdate').minProperties;
  properties.greeting = { type: 'string', const: 'Mx' };
  properties.badge = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  schema(contract, 'User').properties.badge = {
    oneOf: [{ type: 'object', properties: { color: { type: 'string' } } }, { type: 'string' }],
  };
  schema(contract, 'User').properties.kind = { type: 'string', enum: ['person'] };
  schema(contract, 'User').properties.nickname = { type: ['string', 'null'], maxLength: 100 };
  schema(contract, 'User').properties.manager = {
    anyOf: [{ $ref: '#/components/schemas/Profile' }, { type: 'null' }],
  };
  delete schema(contract, 'UserPage').additionalProperties;
  schema(contract, 'Profile').additionalProperties = false;
  schema(contract, 'ProfileUpdate').additionalProperties = false;
  delete schema(contract, 'MembershipChoice').additionalProperties;
};

/** Without what the contract deprecates today: that is one of the changes. */
export const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'), (key, value) =>
  ['deprecated', 'x-deprecated-since', 'x-sunset'].includes(key) ? undefined : value,
);
basis(contract);

/** A copy of the contract with this change. */
export function changedBy(change: Change): Bundle {
  const changed = structuredClone(contract);
  change(changed);
  expect(changed, 'the case changes nothing: adapt it to the contract').not.toEqual(contract);
  return changed;
}

export const cases: Record<'breaking' | 'breakingByRedocly' | 'harmless', Record<string, Change>> = {
  breaking: {
    'a path parameter is renamed': ({ paths, components }) => {
      const parameters = [{ ...components.parameters.UserId, name: 'id' }];
      paths[profile.replace('userId', 'id')] = { ...paths[profile], parameters };
      delete paths[profile];
    },
    'a named schema is renamed': (contract) => {
      const renamed = JSON.stringify(contract).replaceAll('schemas/UserStatus', 'schemas/StatusOfUser');
      Object.assign(contract, JSON.parse(renamed));
      contract.components.schemas.StatusOfUser = contract.components.schemas.UserStatus;
      delete contract.components.schemas.UserStatus;
    },
    'a default changes': ({ components }) => {
      components.parameters.PageSize.schema.default = 10;
    },
    'a parameter changes its type': ({ components }) => {
      components.parameters.Page.schema = { type: 'string' };
    },
    'a field of a request becomes read-only': (contract) => {
      schema(contract, 'ProfileUpdate').properties.title.readOnly = true;
    },
    'a form takes fewer media types of a file': (contract) => {
      upload(contract).encoding = { file: { contentType: 'image/*, application/pdf' } };
    },
    'a constant of a request changes': (contract) => {
      schema(contract, 'ProfileUpdate').properties.greeting.const = 'Dr';
    },
    'a required request body is added': ({ paths }) => {
      paths[terminate].post.requestBody = {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      };
    },
    'a value of a request enum is removed': ({ paths }) => {
      paths[users].get.parameters[0] = {
        name: 'page',
        in: 'query',
        schema: { type: 'integer', enum: [0, 1] },
      };
    },
    'a field of a response becomes write-only': (contract) => {
      schema(contract, 'Profile').properties.title.writeOnly = true;
    },
    'a value is removed from an enum of a response': (contract) => {
      schema(contract, 'UserStatus').enum = ['ACTIVE'];
    },
    'an error code is removed': (contract) => {
      const codes = schema(contract, 'ErrorCode');
      codes.enum = codes.enum.filter((code: string) => code !== 'last_owner');
    },
    'a header of a response becomes optional': ({ components }) => {
      components.headers.RetryAfter.required = false;
    },
    'a public operation takes the security of the document': (contract) => {
      contract.security = [{ organizationToken: [] }];
      delete contract.paths['/auth/authorize'].post.security;
    },
    'a field of an event becomes write-only': (contract) => {
      schema(contract, 'UserTerminatedEventData').properties.userId.writeOnly = true;
    },
    'an event loses its signature': ({ webhooks }) => {
      webhooks['link.used'].post.parameters = [];
    },
  },
  // Our own rules do not find these.
  breakingByRedocly: {
    'a path is removed': ({ paths }) => delete paths['/link'],
    'an operation is removed': ({ paths }) =>
      delete paths['/workspaces/{workspaceId}/memberships/{userId}'].delete,
    'an operation gets another path': ({ paths }) => {
      paths['/link/mail'] = paths['/link/send'];
      delete paths['/link/send'];
    },
    'an operation is renamed': ({ paths }) => {
      paths[users].get.operationId = 'findUsers';
    },
    'a query parameter is removed': ({ paths }) => {
      paths[users].get.parameters = paths[users].get.parameters.slice(0, 1);
    },
    'a required query parameter is added': ({ paths }) => {
      paths[users].get.parameters.push({
        name: 'status',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      });
    },
    'a required header is added': ({ paths }) => {
      paths[terminate].post.parameters.push({
        name: 'Reason',
        in: 'header',
        required: true,
        schema: { type: 'string' },
      });
    },
    'an optional parameter becomes required': ({ components }) => {
      components.parameters.PageSize.required = true;
    },
    'a maximum is lowered': ({ components }) => {
      components.parameters.PageSize.schema.maximum = 50;
    },
    'a required field is added to a request': (contract) => {
      schema(contract, 'OrganizationRoleChoice').properties.reason = { type: 'string' };
      schema(contract, 'OrganizationRoleChoice').required.push('reason');
    },
    'an optional field of a request becomes required': (contract) => {
      schema(contract, 'WorkflowStart').required.push('locale');
    },
    'a field of a request is removed': (contract) => {
      delete schema(contract, 'ProfileUpdate').properties.title;
      schema(contract, 'ProfileUpdate').required = ['firstName', 'lastName'];
    },
    'a field of a form becomes read-only': (contract) => {
      schema(contract, 'AttachmentForm').properties.tags.readOnly = true;
    },
    'the request object becomes closed': (contract) => {
      schema(contract, 'MembershipChoice').additionalProperties = false;
    },
    'a request loses an alternative': (contract) => {
      schema(contract, 'ProfileUpdate').properties.badge.oneOf.pop();
    },
    'a request needs more fields than were required': (contract) => {
      Object.assign(schema(contract, 'ProfileUpdate'), { required: [], minProperties: 4 });
    },
    'a longest length of a request is lowered': (contract) => {
      schema(contract, 'PersonName').maxLength = 10;
    },
    'a request body changes its media type': ({ paths }) => {
      const { content } = paths[role].put.requestBody;
      paths[role].put.requestBody.content = { 'application/xml': content['application/json'] };
    },
    'a field of a response is removed': (contract) => {
      delete schema(contract, 'User').properties.email;
      schema(contract, 'User').required = ['id', 'idpId', 'roleId', 'profile', 'createdDateTime'];
    },
    'a field of a response becomes optional': (contract) => {
      schema(contract, 'User').required = ['id', 'idpId', 'roleId', 'profile', 'createdDateTime'];
    },
    'a field of a response becomes nullable': (contract) => {
      schema(contract, 'User').properties.email = { type: ['string', 'null'], format: 'email' };
    },
    'a field of a response changes its type': (contract) => {
      schema(contract, 'UserPage').properties.totalElements = { type: 'string' };
    },
    'a field of a response gets alternatives': (contract) => {
      schema(contract, 'User').properties.email = { oneOf: [{ type: 'string' }, { type: 'object' }] };
    },
    'a response gets one more alternative': (contract) => {
      schema(contract, 'User').properties.badge.oneOf.push({ type: 'boolean' });
    },
    'an alternative of a response loses a field': (contract) => {
      schema(contract, 'User').properties.badge.oneOf[0].properties = {};
    },
    'a field of a response becomes null in another notation': (contract) => {
      const { properties } = schema(contract, 'User');
      properties.email = { anyOf: [properties.email, { type: 'null' }] };
    },
    'a closed object of a response becomes open': (contract) => {
      delete schema(contract, 'Profile').additionalProperties;
    },
    'a response loses its body': ({ paths }) => delete paths[terminate].post.responses[200].content,
    'a value is added to a closed enum of a response': (contract) => {
      schema(contract, 'UserStatus').enum.push('SUSPENDED');
    },
    'a success status changes': ({ paths }) => {
      const { responses } = paths[terminate].post;
      responses[202] = responses[200];
      delete responses[200];
    },
    'an error status is removed': ({ paths }) => delete paths[terminate].post.responses[409],
    'a media type of a response is removed': ({ paths }) => {
      const { content } = paths['/auth/webhooks/key/{keyId}'].get.responses[200];
      delete content['application/x-pem-file'];
    },
    'a header of a response is removed': ({ components }) =>
      delete components.responses.TooManyRequests.headers['Retry-After'],
    'a public operation asks for a token': ({ paths }) => {
      paths['/auth/webhooks/key/{keyId}'].get.security = [{ organizationToken: [] }];
    },
    'an operation asks for another permission': ({ paths }) => {
      paths[users].get.security = [
        { organizationToken: ['can_reset_2fa'] },
        { accessToken: ['can_reset_2fa'] },
      ];
    },
    'an operation asks for one more permission': ({ paths }) => {
      for (const requirement of paths[users].get.security) {
        for (const roles of Object.values(requirement) as string[][]) roles.push('can_reset_2fa');
      }
    },
    'a way to authenticate is removed from an operation': ({ paths }) => {
      paths[users].get.security.pop();
    },
    'a security scheme changes its header': ({ components }) => {
      components.securitySchemes.organizationToken.name = 'X-Token';
    },
    'an event is removed': ({ webhooks }) => delete webhooks['link.used'],
    'a field of an event is removed': (contract) => {
      const event = schema(contract, 'UserTerminated');
      delete event.properties.createdDateTime;
      event.required = event.required.filter((name: string) => name !== 'createdDateTime');
    },
    'a field of an event becomes optional': (contract) => {
      schema(contract, 'UserTerminatedEventData').required = [];
    },
  },
  harmless: {
    'a path is added': ({ paths }) => {
      paths['/link/preview'] = { post: { ...paths['/link'].post, operationId: 'previewLink' } };
    },
    'an operation is added': ({ paths }) => {
      paths[users].post = { ...paths[role].put, operationId: 'createUser' };
    },
    'an optional parameter is added': ({ paths }) => {
      paths[users].get.parameters.push({ name: 'status', in: 'query', schema: { type: 'string' } });
    },
    'an optional field is added to a request': (contract) => {
      schema(contract, 'ProfileUpdate').properties.nickname = { type: 'string' };
    },
    'a required field of a request becomes optional': (contract) => {
      schema(contract, 'ProfileUpdate').required = ['firstName', 'lastName'];
    },
    'a request needs some of the fields that were required': (contract) => {
      Object.assign(schema(contract, 'ProfileUpdate'), { required: [], minProperties: 3 });
    },
    'a field is added to a response': (contract) => {
      schema(contract, 'User').properties.locale = { type: 'string' };
      schema(contract, 'User').required.push('locale');
    },
    'a response loses an alternative': (contract) => {
      schema(contract, 'User').properties.badge.oneOf.pop();
    },
    'a request gets one more alternative': (contract) => {
      schema(contract, 'ProfileUpdate').properties.badge.oneOf.push({ type: 'boolean' });
    },
    'alternatives are in another order': (contract) => {
      schema(contract, 'User').properties.badge.oneOf.reverse();
    },
    'one value is written as a constant': (contract) => {
      schema(contract, 'User').properties.kind = { type: 'string', const: 'person' };
    },
    'a constant is written as an enum': (contract) => {
      schema(contract, 'ProfileUpdate').properties.greeting = { type: 'string', enum: ['Mx'] };
    },
    'a nullable text is written as alternatives': (contract) => {
      schema(contract, 'User').properties.nickname = {
        anyOf: [{ type: 'null' }, { type: 'string', maxLength: 100 }],
      };
    },
    'a nullable object is written with two types': (contract) => {
      const { manager } = schema(contract, 'User').properties;
      delete manager.anyOf;
      Object.assign(manager, schema(contract, 'Profile'), { type: ['null', 'object'] });
    },
    'parameters are declared for the whole path': ({ paths }) => {
      paths[users].parameters = paths[users].get.parameters;
      delete paths[users].get.parameters;
    },
    'a field of a request becomes write-only, one of a response read-only': (contract) => {
      schema(contract, 'ProfileUpdate').properties.firstName = {
        ...schema(contract, 'ProfileUpdate').properties.firstName,
        writeOnly: true,
      };
      schema(contract, 'UserPage').properties.totalElements.readOnly = true;
    },
    'a form describes one more file': (contract) => {
      upload(contract).encoding = { thumbnail: { contentType: 'image/png' } };
      schema(contract, 'ResourceForm').properties.thumbnail = { type: 'string', format: 'binary' };
    },
    'the request object becomes open': (contract) => {
      delete schema(contract, 'ProfileUpdate').additionalProperties;
    },
    'an object of a response becomes closed': (contract) => {
      schema(contract, 'UserPage').additionalProperties = false;
    },
    'a maximum is raised': ({ components }) => {
      components.parameters.PageSize.schema.maximum = 200;
    },
    'a longest length of requests and responses is raised': (contract) => {
      schema(contract, 'PersonName').maxLength += 100;
    },
    'a field is added to an event': (contract) => {
      schema(contract, 'UserTerminatedEventData').properties.reason = { type: 'string' };
      schema(contract, 'UserTerminatedEventData').required.push('reason');
    },
    'an error code is added': (contract) => {
      schema(contract, 'ErrorCode').enum.push('quota_exceeded');
    },
    'an error status is added': ({ paths }) => {
      paths[users].get.responses[404] = { $ref: '#/components/responses/UserNotFound' };
    },
    'a header is added to a response': ({ components }) => {
      components.responses.UserNotFound.headers['Server-Timing'] = { schema: { type: 'string' } };
    },
    'an operation becomes public': ({ paths }) => {
      paths[users].get.security = [];
    },
    'an operation asks for no permission any more': ({ paths }) => {
      paths[users].get.security = [{ organizationToken: [] }, { accessToken: [] }];
    },
    'an event is added': ({ webhooks }) => {
      webhooks['link.expired'] = webhooks['link.used'];
    },
    'an operation is deprecated': ({ paths }) => {
      paths[users].get.deprecated = true;
    },
    'words and examples change': (contract) => {
      contract.info.description = 'Another introduction.';
      contract.paths[users].get.summary = 'All users';
      contract.components.examples.claimsAdjuster.summary = 'Another summary';
      schema(contract, 'User').description = 'A person.';
    },
  },
};

const redoclyCases = Object.entries(cases.breakingByRedocly);
/** Redocly is slow: `npm test` tries this sample. */
export const sample = redoclyCases.filter((_, index) => index % 8 === 0);
export const others = redoclyCases.filter((_, index) => index % 8 > 0);
