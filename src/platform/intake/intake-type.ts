import { DiscoveryService } from '@nestjs/core';
import type { IntakeDocs } from './intake-docs.js';

/** How a payload names its brand; at least one member is given. */
export interface BrandReference {
  hashid?: string;
  /** Decimal. */
  id?: string;
  /** A name, slug or alias. */
  name?: string;
}

/** The brand that was found for a payload, with every name it goes by. */
export interface KnownBrand {
  id: string;
  name: string;
  names: readonly string[];
}

export interface Normalised<V> {
  value: V;
  /** What was ignored, cut or guessed, in words for the crawler's author. */
  warnings: string[];
}

export interface Described {
  /** The show as people read it: "2026 秋冬 · 高级成衣 · 巴黎". */
  subject: string;
  /** Its natural key as text: two payloads of one show have the same. */
  subjectKey: string;
  warnings: string[];
}

/**
 * What the owner of a kind of message does for the door. The door and the worker call the same `normalise`, so what
 * was accepted can be worked on.
 */
export interface IntakeTypeHandler<V = unknown> {
  /** @throws AppError `schema-invalid` with JSON pointers below `/data` */
  normalise(data: unknown): Normalised<V>;
  /** undefined: messages of this type belong to no brand. */
  brandOf(value: V): BrandReference | undefined;
  /** @throws AppError `season-unparsed` and its like: what can be told only when the brand is known */
  describe(value: V, brand: KnownBrand | undefined): Described;
}

export interface IntakeTypeOptions {
  /** `type` of the signed envelope. */
  type: string;
  /** The door it comes in by. */
  path: string;
  /** Kind of the job it becomes. */
  kind: string;
  /** For the door's documentation, which otherwise names the type and no more. */
  docs?: IntakeDocs;
}

/** Marks a provider as the owner of an intake type; the door finds it by itself. */
export const IntakeType = DiscoveryService.createDecorator<IntakeTypeOptions>();
