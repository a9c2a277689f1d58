/* SPDX-License-Identifier: Apache-2.0 */
/* disassemble_none.c — where the build found no capstone: there are no instructions */
#include "base/symbols/symbols.h"

const char *symbols_disassemble(struct symbols *symbols, const struct symbol_binary *binary,
                                const struct symbol_function *function, enum assembly_syntax syntax,
                                struct instructions *list)
{
    (void)symbols, (void)binary, (void)function, (void)syntax, (void)list;
    return "this ptk was built without capstone";
}
