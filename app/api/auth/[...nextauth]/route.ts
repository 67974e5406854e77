import NextAuth from "next-auth";
import { authOptions } from "@/lib/api/console/auth-options";

const handler = (request: Request, context: unknown): Promise<Response> => NextAuth(authOptions())(request, context);

export { handler as GET, handler as POST };
