import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
import { RawBody } from '../platform/http/raw-body.js';
import type { IntakeAnswer } from './intake-answer.js';
import { IntakeService } from './intake.service.js';
import { MESSAGE_PATH, QUESTION_PATHS } from './intake-types.js';
import { Questions } from './questions.service.js';
import { Signed, SignatureGuard, type SignedMessage } from './signature.guard.js';
import { Tally } from './tally.js';

/** The crawler's door. Public to the admin's guard: the signature is what opens it. */
@Public()
@UseGuards(SignatureGuard)
@Controller()
export class IngestController {
  constructor(
    private readonly intake: IntakeService,
    private readonly questions: Questions,
    private readonly tally: Tally,
  ) {}

  @Post(MESSAGE_PATH)
  @HttpCode(202)
  @RawBody()
  async submit(@Signed() message: SignedMessage): Promise<IntakeAnswer> {
    const answer = await this.intake.accept(message);
    this.tally.count(message.crawler.id, 202, answer.duplicate ? 'duplicate' : 'accepted');
    return answer;
  }

  @Post([...QUESTION_PATHS])
  @HttpCode(200)
  @RawBody()
  async ask(@Signed() message: SignedMessage): Promise<unknown> {
    const answer = await this.questions.answer(message);
    this.tally.count(message.crawler.id, 200, 'answered');
    return answer;
  }
}
