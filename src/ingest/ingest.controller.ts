import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
import { RawBody } from '../platform/http/raw-body.js';
import { type IntakeAnswer, IntakeService } from './intake.service.js';
import { Signed, SignatureGuard, type SignedMessage } from './signature.guard.js';

/** The crawler's door. Public to the admin's guard: the signature is what opens it. */
@Public()
@UseGuards(SignatureGuard)
@Controller('ingest')
export class IngestController {
  constructor(private readonly intake: IntakeService) {}

  @Post()
  @HttpCode(202)
  @RawBody()
  submit(@Signed() message: SignedMessage): Promise<IntakeAnswer> {
    return this.intake.accept(message);
  }
}
