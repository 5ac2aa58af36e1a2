import { Module } from '@nestjs/common';
import { AuthModule } from './auth.module.js';
import { SignInController } from './sign-in.controller.js';

/** `/auth/login` and `/auth/logout`, where there is an admin to sign in to. */
@Module({ imports: [AuthModule], controllers: [SignInController] })
export class SignInModule {}
