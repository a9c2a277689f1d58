#include "parsers/chrome/event_classes.h"

#define XXH_INLINE_ALL
#include <ctype.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/memory/grow.h"

struct known {
    const char *category; /* in lower case */
    enum frame_kind kind;
    enum role role;
};

/* TensorFlow 1 and Paddle's Fluid have but one, wherever it ran; so do nvprof2json and
 * nsys2json. */
static const char tensorflow[] = "op", cuda[] = "cuda";

/* PyTorch's of all years, Paddle's, TensorFlow's and some of Python's. */
static const struct known known[] = {
    {"cpu_op", KIND_OPERATOR, ROLE_THREAD},
    {"operator", KIND_OPERATOR, ROLE_THREAD},
    {tensorflow, KIND_OPERATOR, ROLE_THREAD},
    {"pythonop", KIND_OPERATOR, ROLE_THREAD},
    {"communication", KIND_OPERATOR, ROLE_THREAD},
    {"operatorinner", KIND_HOST, ROLE_THREAD},
    {"user_annotation", KIND_ANNOTATION, ROLE_THREAD},
    {"userdefined", KIND_ANNOTATION, ROLE_THREAD},
    {"nvtx", KIND_ANNOTATION, ROLE_THREAD},
    {"pythonuserdefined", KIND_ANNOTATION, ROLE_THREAD},
    {"profilestep", KIND_ANNOTATION, ROLE_THREAD},
    {"dataloader", KIND_ANNOTATION, ROLE_THREAD},
    {"forward", KIND_ANNOTATION, ROLE_THREAD},
    {"backward", KIND_ANNOTATION, ROLE_THREAD},
    {"optimization", KIND_ANNOTATION, ROLE_THREAD},
    {"gpu_user_annotation", KIND_OTHER, ROLE_RANGES},
    {"cuda_runtime", KIND_RUNTIME, ROLE_THREAD},
    {"cuda_driver", KIND_RUNTIME, ROLE_THREAD},
    {"runtime", KIND_RUNTIME, ROLE_THREAD},
    {"driver", KIND_RUNTIME, ROLE_THREAD},
    {"cudaruntime", KIND_RUNTIME, ROLE_THREAD},
    {"mluruntime", KIND_RUNTIME, ROLE_THREAD},
    {"xpu_runtime", KIND_RUNTIME, ROLE_THREAD},
    {"xpu_driver", KIND_RUNTIME, ROLE_THREAD},
    {"mtia_runtime", KIND_RUNTIME, ROLE_THREAD},
    {"glow_runtime", KIND_RUNTIME, ROLE_THREAD},
    {"privateuse1_runtime", KIND_RUNTIME, ROLE_THREAD},
    {"privateuse1_driver", KIND_RUNTIME, ROLE_THREAD},
    {"python_function", KIND_PYTHON, ROLE_THREAD},
    {"python", KIND_PYTHON, ROLE_THREAD},
    {"fee", KIND_PYTHON, ROLE_THREAD}, /* of VizTracer: function entry and exit */
    {"py-spy", KIND_PYTHON, ROLE_THREAD},
    {"kernel", KIND_KERNEL, ROLE_STREAM},
    {"gpu_op", KIND_KERNEL, ROLE_STREAM}, /* of Intel's unitrace */
    {"mtia_ccp_events", KIND_KERNEL, ROLE_STREAM},
    {"gpu_memcpy", KIND_MEMCPY, ROLE_STREAM},
    {"memcpy", KIND_MEMCPY, ROLE_STREAM},
    {"gpu_memset", KIND_MEMSET, ROLE_STREAM},
    {"memset", KIND_MEMSET, ROLE_STREAM},
    {"collective_comm", KIND_COMMUNICATION, ROLE_STREAM},
    {"cuda_sync", KIND_SYNC, ROLE_SYNC},
    {"overhead", KIND_OTHER, ROLE_THREAD},
    {"trace", KIND_OTHER, ROLE_TOTALS},
    {"critical path component", KIND_ANNOTATION, ROLE_TOTALS}, /* Bazel's: actions once more */
};

static bool is_same(struct span text, const char *lower)
{
    for (size_t i = 0; i < text.len; i++)
        if (tolower((unsigned char)text.at[i]) != lower[i] || !lower[i])
            return false;
    return lower[text.len] == '\0';
}

static struct class classify(struct builder *builder, struct span category)
{
    struct class class = {.name = builder_intern(builder, category),
                          .kind = KIND_HOST,
                          .role = ROLE_THREAD,
                          .is_by_row = is_same(category, tensorflow) || is_same(category, cuda)};

    class.category = builder_category_number(builder, class.name);

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (is_same(category, known[i].category)) {
            class.kind = known[i].kind;
            class.role = known[i].role;
        }
    return class;
}

void classes_init(struct classes *classes, struct builder *builder)
{
    *classes = (struct classes){.count = 1};
    classes->list = grow_zeroed(1, sizeof(*classes->list));
    classes->list[0].category = builder_category_number(builder, 0);
    classes->list[0].kind = KIND_HOST;
    classes->list[0].is_by_row = true;
}

static uint32_t find(struct classes *classes, struct builder *builder, struct span text)
{
    uint32_t *index;

    if (text.len == 0)
        return 0;
    index = idmap_at(&classes->by_hash, XXH3_64bits(text.at, text.len));
    if (*index == IDMAP_NONE) {
        *index = classes->count;
        classes->list = grow_to(classes->list, (size_t)classes->count + 1, sizeof(*classes->list));
        classes->list[classes->count++] = classify(builder, text);
    }
    return *index;
}

uint32_t classes_find(struct classes *classes, struct builder *builder, struct token category)
{
    return category.at ? find(classes, builder, token_raw_text(category)) : 0;
}

void classes_absorb(struct classes *classes, struct builder *builder, const struct classes *part,
                    const str_id *texts)
{
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t here = find(classes, builder, builder_text(builder, texts[part->list[i].name]));

        classes->list[here].events += part->list[i].events;
    }
}

void classes_free(struct classes *classes)
{
    free(classes->list);
    idmap_free(&classes->by_hash);
    *classes = (struct classes){0};
}
