import { Inject, Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { CONFIG, type Config } from '../platform/config/config.js';
import { decodeBody, parseBody } from './body.js';
import { DatabaseGate } from './database-gate.js';
import { readEnvelope } from './envelope.js';
import { IntakeTypes } from './intake-types.js';
import type { SignedMessage } from './signature.guard.js';

/**
 * What crawlers ask: the same checks as for a message, and no row of it. Questions are dearer than messages and less
 * urgent, so few are answered at once: they never take the connections that messages need.
 */
@Injectable()
export class Questions {
  private readonly gate: DatabaseGate;
  private readonly few: PQueue;

  constructor(
    private readonly types: IntakeTypes,
    @Inject(CONFIG) { intake, database }: Config,
  ) {
    this.gate = new DatabaseGate(intake.databaseWaitMs);
    this.few = new PQueue({ concurrency: Math.max(1, Math.floor(database.poolSize / 3)) });
  }

  /** @throws AppError 422, 503; database errors, which mean 503 */
  answer({ crawler, path, bytes }: SignedMessage): Promise<unknown> {
    const { type, data } = readEnvelope(parseBody(decodeBody(bytes)));
    const { handler } = this.types.question(type, path);
    return this.gate.pass(() => this.few.add(() => handler.answer(data, crawler)));
  }
}
