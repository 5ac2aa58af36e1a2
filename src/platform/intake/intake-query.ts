import { DiscoveryService } from '@nestjs/core';
import type { IntakeQueryDocs } from './intake-docs.js';

/** The crawler that asks: its signature was verified, and what it may see is its own. */
export interface AskingCrawler {
  id: string;
  name: string;
}

/**
 * What the owner of a kind of question does for the door, which has verified, limited and parsed it by then. A question
 * changes nothing, so it is not remembered: the same one again is answered anew.
 */
export interface IntakeQueryHandler {
  /**
   * @param data the envelope's, untrusted but for being an object
   * @returns the body of the answer: snake_case, ids as text, times in ISO 8601 UTC
   * @throws AppError 422 `schema-invalid` with JSON pointers below `/data`
   */
  answer(data: Record<string, unknown>, crawler: AskingCrawler): Promise<unknown>;
}

export interface IntakeQueryOptions {
  /** `type` of the signed envelope. */
  type: string;
  /** The door it comes in by. */
  path: string;
  /** For the door's documentation, which otherwise names the type and no more. */
  docs?: IntakeQueryDocs;
}

/** Marks a provider as the owner of a question that crawlers may ask; the door finds it by itself. */
export const IntakeQuery = DiscoveryService.createDecorator<IntakeQueryOptions>();
