import { ClosedRequests } from './closed-requests.js';
import { CommonHeaders } from './common-headers.js';
import { CreationLinked } from './creation-linked.js';
import { DefaultFitsSchema } from './default-fits-schema.js';
import { DeprecationDated } from './deprecation-dated.js';
import { DeprecationNotes } from './deprecation-notes.js';
import { ErrorCodes } from './error-codes.js';
import { EventTypes } from './event-types.js';
import { ExamplesPresent } from './examples-present.js';
import { guarded } from './guarded.js';
import { HeaderExamplesFit } from './header-examples-fit.js';
import { IntegerFormats } from './integer-formats.js';
import { LinksLead } from './links-lead.js';
import { MarkdownClosed } from './markdown-closed.js';
import { MediaTypes } from './media-types.js';
import { NamesDistinct } from './names-distinct.js';
import { NoDefs } from './no-defs.js';
import { PossibleSchemas } from './possible-schemas.js';
import { SecurityStated } from './security-stated.js';
import { StrictRefs } from './strict-refs.js';
import { TextsShort } from './texts-short.js';

/** The contract's own lint rules, named `contract/<rule>` in redocly.yaml; one file each. */
export default function contractRules() {
  return {
    id: 'contract',
    rules: {
      oas3: guarded({
        'closed-requests': ClosedRequests,
        'common-headers': CommonHeaders,
        'creation-linked': CreationLinked,
        'default-fits-schema': DefaultFitsSchema,
        'deprecation-dated': DeprecationDated,
        'error-codes': ErrorCodes,
        'event-types': EventTypes,
        'examples-present': ExamplesPresent,
        'header-examples-fit': HeaderExamplesFit,
        'integer-formats': IntegerFormats,
        'links-lead': LinksLead,
        'markdown-closed': MarkdownClosed,
        'media-types': MediaTypes,
        'names-distinct': NamesDistinct,
        'no-defs': NoDefs,
        'possible-schemas': PossibleSchemas,
        'security-stated': SecurityStated,
        'strict-refs': StrictRefs,
        'texts-short': TextsShort,
      }),
    },
    decorators: {
      oas3: guarded({ 'deprecation-notes': DeprecationNotes }),
    },
  };
}
