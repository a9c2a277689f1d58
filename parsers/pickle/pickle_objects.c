/* SPDX-License-Identifier: Apache-2.0 */
/* pickle_objects.c — what a pickle may name: the classes that the format has, and objects of them */
#include "base/memory/memory.h"
#include "parsers/pickle/pickle.h"

static bool push_global(struct pickle *pickle, struct span module, struct span name,
                        struct error *err)
{
    static const struct {
        const char *module, *name;
        enum value_kind type;
    } known[] = {
        {"copy_reg", "_reconstructor", VALUE_MAKER},
        {"copyreg", "_reconstructor", VALUE_MAKER},
        {"__builtin__", "object", VALUE_BASE},
        {"builtins", "object", VALUE_BASE},
    };

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_eq(module, span_of(known[i].module)) && span_eq(name, span_of(known[i].name)))
            return pickle_push(pickle, &(struct value){.kind = known[i].type}, err);
    for (const struct pickled_class *class = pickle->classes; class && class->name; class ++)
        if (span_eq(module, span_of(class->module)) && span_eq(name, span_of(class->name)))
            return pickle_push(pickle, &(struct value){.kind = VALUE_CLASS}, err);
    return error_set_at(err, pickle->at, 0,
                        "the pickle names '%.*s.%.*s', which no profile needs: not read",
                        (int)(module.len < 60 ? module.len : 60), module.at,
                        (int)(name.len < 60 ? name.len : 60), name.at);
}

bool pickle_global(struct pickle *pickle, unsigned char code, struct error *err)
{
    struct span line;
    const char *module;
    size_t len;

    (void)code;
    if (!pickle_take_line(pickle, &line, err))
        return false;
    module = arena_copy(&pickle->arena, line);
    len = line.len;
    return pickle_take_line(pickle, &line, err) &&
           push_global(pickle, (struct span){module, len}, line, err);
}

bool pickle_stack_global(struct pickle *pickle, unsigned char code, struct error *err)
{
    value_id name = pickle_top(pickle, VALUE_TEXT, err), module = 0;

    (void)code;
    if (name) {
        pickle->stack.count--;
        module = pickle_top(pickle, VALUE_TEXT, err);
    }
    if (!module)
        return false;
    pickle->stack.count--;
    return push_global(pickle,
                       builder_text(pickle->builder, value_at(&pickle->values, module)->text),
                       builder_text(pickle->builder, value_at(&pickle->values, name)->text), err);
}

/* NEWOBJ of the class, or REDUCE of what makes one: the arguments do not matter. */
bool pickle_make_object(struct pickle *pickle, unsigned char code, struct error *err)
{
    value_id arguments = pickle_pop(pickle, err);

    if (!arguments || !pickle_top(pickle, code == 'R' ? VALUE_MAKER : VALUE_CLASS, err))
        return false;
    pickle->stack.count--;
    return pickle_push(pickle, &(struct value){.kind = VALUE_OBJECT}, err);
}

bool pickle_build(struct pickle *pickle, unsigned char code, struct error *err)
{
    value_id state = pickle_pop(pickle, err), object;

    (void)code;
    object = state ? pickle_top(pickle, VALUE_OBJECT, err) : 0;
    if (!object)
        return false;
    values_append(&pickle->values, object, &state, 1);
    return true;
}
