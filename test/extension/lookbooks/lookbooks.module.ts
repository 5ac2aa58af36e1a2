import { Module } from '@nestjs/common';
import { LookbookHandler } from './lookbook.handler.js';
import { LookbookIntakeType } from './lookbook.intake-type.js';

/** All that the application has to know of lookbooks: it finds the rest by the decorators. */
@Module({ providers: [LookbookIntakeType, LookbookHandler] })
export class LookbooksModule {}
