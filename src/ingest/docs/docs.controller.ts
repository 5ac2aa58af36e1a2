import { Controller, Get, Inject, type OnApplicationBootstrap, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../auth/access.decorators.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { IntakeTypes, MESSAGE_PATH, QUESTION_PATHS } from '../intake-types.js';
import { docsPage, PAGE_POLICY } from './docs-page.js';
import { doorDocument } from './door-document.js';

/** The door's contract, for whoever writes a crawler: as OpenAPI for programs, and as a page for people. */
@Public()
@Controller('docs')
export class DocsController implements OnApplicationBootstrap {
  private json = '';
  private page = '';

  constructor(
    private readonly types: IntakeTypes,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Once every owner of a type is known. @throws Error, so that the process does not start, when two shapes have one name */
  onApplicationBootstrap(): void {
    const paths = [MESSAGE_PATH, ...QUESTION_PATHS].map((path) => {
      const { messages, questions } = this.types.at(path);
      return { path, asks: path !== MESSAGE_PATH, types: [...messages, ...questions] };
    });
    const document = doorDocument(paths, this.config.intake.bodyLimitBytes);
    this.json = `${JSON.stringify(document, null, 2)}\n`;
    this.page = docsPage(document);
  }

  @Get()
  show(@Res() reply: FastifyReply): void {
    void reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', PAGE_POLICY)
      .header('X-Content-Type-Options', 'nosniff')
      .header('Referrer-Policy', 'no-referrer')
      .send(this.page);
  }

  @Get('openapi.json')
  openapi(@Res() reply: FastifyReply): void {
    // Whoever generates a client does it from a page of their own.
    void reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Access-Control-Allow-Origin', '*')
      .header('X-Content-Type-Options', 'nosniff')
      .send(this.json);
  }
}
