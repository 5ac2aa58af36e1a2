import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdminGuard } from './admin.guard.js';

/** The admin's door. Importing it once, in the composition root, closes whatever declares no role. */
@Module({ providers: [{ provide: APP_GUARD, useClass: AdminGuard }] })
export class AuthModule {}
