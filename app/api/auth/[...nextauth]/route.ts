export { answerAuth as GET, answerAuth as POST } from "@/lib/api/console/answer-auth";
