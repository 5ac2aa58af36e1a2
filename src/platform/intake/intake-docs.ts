import type { JsonSchema } from '../../lib/json-schema.js';

/** What the door's documentation says of a type of message. Its owner keeps it beside what reads the type. */
export interface IntakeDocs {
  /** One sentence. */
  summary: string;
  /** Of `data`; with a title, under which it is listed. */
  data: JsonSchema;
  /** `data` of a message that is taken, as its author would write it. */
  example: Record<string, unknown>;
}

export interface IntakeQueryDocs extends IntakeDocs {
  /** Of the whole answer; with a title. */
  answer: JsonSchema;
  answerExample: Record<string, unknown>;
}
