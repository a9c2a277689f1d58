/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a command line by its table of options, and names the nearest option where one is
 * unknown. */
#include "base/cli/cli.h"
#include "base/error/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/span.h"
#include "base/text/pattern.h"

const struct option *option_next(struct option_walk *walk)
{
    const struct option *option = walk->table;

    while (option->kind == OPTION_INCLUDE || (option->kind == OPTION_END && walk->back)) {
        if (option->kind == OPTION_INCLUDE) {
            walk->back = option + 1;
            walk->base = option->field;
            option = option->table;
        } else {
            option = walk->back;
            walk->back = NULL;
            walk->base = 0;
        }
    }
    walk->table = option + 1;
    if (option->kind != OPTION_END)
        return option;
    walk->table = option;
    return NULL;
}

/* An option as found in the table, and the field that it sets. */
struct found_option {
    const struct option *option;
    void *field;
};

static bool option_named(const struct option *table, void *fields, char letter, struct span name,
                         struct found_option *found)
{
    struct option_walk walk = {.table = table};

    for (const struct option *o; (o = option_next(&walk));) {
        bool is_it = o->kind != OPTION_GROUP &&
                     (letter ? o->letter == letter : span_eq(span_of(o->name), name));

        if (is_it) {
            *found = (struct found_option){o, (char *)fields + walk.base + o->field};
            return true;
        }
    }
    return false;
}

/* `word` as typed, with its dashes. */
static bool unknown(const struct option *table, const char *word, struct error *err)
{
    char name[OPTION_NAME_MAX];
    struct suggestion nearest = {.typed = name};
    struct option_walk walk = {.table = table};

    option_plain_name(word, name);
    for (const struct option *o; (o = option_next(&walk));)
        if (o->kind != OPTION_GROUP)
            suggestion_consider(&nearest, o->name);
    error_set(err, ERROR_USAGE, "unknown option '%.*s'", (int)strcspn(word, "="), word);
    if ((!nearest.word || nearest.distance > 0) && habit_hint(word, err))
        return false;
    if (nearest.word)
        return error_hint(err, "did you mean '--%s'?", nearest.word);
    return error_hint(err, "see the list with --help");
}

/* What follows "label:" when the choice is "label:KEY"; NULL when the value is not of that form. */
static const char *name_behind(const char *choice, const char *value)
{
    const char *colon = strchr(choice, ':');
    size_t len = colon ? (size_t)(colon + 1 - choice) : 0;

    return len && strncmp(choice, value, len) == 0 && value[len] ? value + len : NULL;
}

static bool set_choice(const struct option *option, struct option_choice *field, const char *value,
                       struct error *err)
{
    char list[200] = "";
    struct suggestion nearest = {.typed = value};

    for (int i = 0; option->choices[i]; i++) {
        *field = (struct option_choice){i, name_behind(option->choices[i], value)};
        if (field->name ||
            (strcmp(option->choices[i], value) == 0 && !strchr(option->choices[i], ':')))
            return true;
        suggestion_consider(&nearest, option->choices[i]);
        if (strlen(list) + strlen(option->choices[i]) + 3 < sizeof(list)) {
            strncat(list, i ? ", " : "", 3);
            strncat(list, option->choices[i], sizeof(list) - strlen(list) - 1);
        }
    }
    error_set(err, ERROR_USAGE, "--%s: '%s' is not one of its values", option->name, value);
    if (nearest.word)
        return error_hint(err, "did you mean '%s'?", nearest.word);
    return error_hint(err, "it takes: %s", list);
}

/* "500M": powers of 1024, as people count memory. */
static bool set_size(const struct option *option, uint64_t *field, const char *value,
                     struct error *err)
{
    static const char letters[] = "kMGT";
    struct span text = span_of(value);
    const char *letter = text.len ? strchr(letters, text.at[text.len - 1]) : NULL;
    unsigned shift = letter && *letter ? (unsigned)(letter - letters + 1) * 10 : 0;
    uint64_t number;

    if (shift)
        text.len--;
    if (!span_to_u64(text, &number) || number > UINT64_MAX >> shift)
        return error_set(err, ERROR_USAGE, "--%s: '%s' is not a size such as 500M or 64G",
                         option->name, value);
    *field = number << shift;
    return true;
}

static bool add_value(const struct option *option, struct option_values *values, const char *value,
                      struct error *err)
{
    struct option_choice choice;

    if (option->choices && !set_choice(option, &choice, value, err))
        return false;
    if (values->count == OPTION_VALUES_MAX)
        return error_set(err, ERROR_USAGE, "--%s: given more than %d times", option->name,
                         OPTION_VALUES_MAX);
    values->list[values->count++] = (struct option_value){option->tag, value};
    return true;
}

static bool set_field(const struct found_option *found, const char *value, struct error *err)
{
    const struct option *option = found->option;
    struct option_choice choice;
    uint64_t count;
    double number;
    char *end;

    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)found->field = true;
        return true;
    case OPTION_OFF:
        *(bool *)found->field = false;
        return true;
    case OPTION_COUNT:
        if (!span_to_u64(span_of(value), &count) || count > UINT32_MAX)
            return error_set(err, ERROR_USAGE, "--%s: '%s' is not a whole number", option->name,
                             value);
        *(uint32_t *)found->field = (uint32_t)count;
        return true;
    case OPTION_NUMBER:
        number = strtod(value, &end);
        if (end == value || *end || !isfinite(number) || number < 0)
            return error_set(err, ERROR_USAGE, "--%s: '%s' is not a number of 0 or more",
                             option->name, value);
        *(double *)found->field = number;
        return true;
    case OPTION_SIZE:
        return set_size(option, found->field, value, err);
    case OPTION_TEXT:
    case OPTION_FILE:
        *(const char **)found->field = value;
        return true;
    case OPTION_CHOICE:
        if (!set_choice(option, &choice, value, err))
            return false;
        *(int *)found->field = choice.index;
        return true;
    case OPTION_NAMED:
        return set_choice(option, found->field, value, err);
    case OPTION_EACH:
    case OPTION_MAYBE:
        return add_value(option, found->field, value, err);
    case OPTION_END:
    case OPTION_GROUP:
    case OPTION_INCLUDE:
        break;
    }
    return false;
}

static bool takes_value(const struct option *option)
{
    return option->kind != OPTION_FLAG && option->kind != OPTION_OFF;
}

/* "sample_index" is "sample-index". */
static bool long_option(const struct option *table, void *fields, const char *word,
                        struct found_option *found, const char **fixed)
{
    char name[OPTION_NAME_MAX];
    const struct habit *habit;

    option_plain_name(word, name);
    *fixed = NULL;
    if (strlen(name) < 2)
        return false;
    if (option_named(table, fields, 0, span_of(name), found))
        return true;
    habit = habit_named(span_of(name));
    if (!habit || !option_named(table, fields, 0, span_of(habit->option), found))
        return false;
    *fixed = habit->value;
    return true;
}

/* --name, --name=value, --name value; -name as well, as Go's programs take it; and what other tools call
 * an option. Moves *argv on when the value is the next word. */
static bool parse_long(const struct option *table, void *fields, char ***argv, struct error *err)
{
    const char *equals = strchr(**argv, '='), *value = equals ? equals + 1 : NULL, *fixed;
    struct found_option found;

    if (!long_option(table, fields, **argv, &found, &fixed))
        return unknown(table, **argv, err);
    if ((fixed || !takes_value(found.option)) && value)
        return error_set(err, ERROR_USAGE, "%.*s takes no value", (int)(equals - **argv), **argv);
    if (fixed)
        return set_field(&found, fixed, err);
    if (takes_value(found.option) && !value && found.option->kind != OPTION_MAYBE) {
        value = (*argv)[1];
        if (!value)
            return error_set(err, ERROR_USAGE, "--%s needs a value: %s", found.option->name,
                             found.option->value);
        ++*argv;
    }
    return set_field(&found, value, err);
}

/* Two letters or more that are a whole name, of ptk or of others: no letters in a row. */
static bool is_long_with_one_dash(const struct option *table, void *fields, const char *word)
{
    char name[OPTION_NAME_MAX];
    struct found_option found;
    struct error none = {0};
    const char *fixed;

    option_plain_name(word, name);
    return long_option(table, fields, word, &found, &fixed) ||
           (strlen(name) > 1 && habit_hint(word, &none));
}

/* -qh, -n5, -n 5 */
static bool parse_letters(const struct option *table, void *fields, char ***argv, struct error *err)
{
    for (const char *letter = **argv + 1; *letter; letter++) {
        const char *value = NULL;
        struct found_option found;

        if (!option_named(table, fields, *letter, SPAN(""), &found)) {
            error_set(err, ERROR_USAGE, "unknown option '-%c'", *letter);
            return error_hint(err, "see the list with --help");
        }
        if (takes_value(found.option) && found.option->kind != OPTION_MAYBE) {
            value = letter[1] ? letter + 1 : (*argv)[1];
            if (!value)
                return error_set(err, ERROR_USAGE, "-%c needs a value: %s", *letter,
                                 found.option->value);
            if (value[0] == '=') {
                error_set(err, ERROR_USAGE, "-%c takes its value without '='", *letter);
                return error_hint(err, "-%c %.100s", *letter, value + 1);
            }
            *argv += !letter[1];
        }
        if (!set_field(&found, value, err))
            return false;
        if (value)
            break;
    }
    return true;
}

bool option_parse(const struct option *table, void *fields, char **argv, size_t *operands,
                  struct error *err)
{
    enum { NOT_GIVEN = -1 };
    struct found_option form = {0}, output;
    int usual = 0;
    bool only_operands = false;
    size_t count = 0;

    if (option_named(table, fields, 0, SPAN("format"), &form)) {
        usual = *(int *)form.field;
        *(int *)form.field = NOT_GIVEN;
    }
    for (char **word = argv; *word; word++) {
        bool ok = true;

        if (only_operands || (*word)[0] != '-' || (*word)[1] == '\0')
            argv[count++] = *word;
        else if (strcmp(*word, "--") == 0)
            only_operands = true;
        else if ((*word)[1] == '-' || is_long_with_one_dash(table, fields, *word))
            ok = parse_long(table, fields, &word, err);
        else
            ok = parse_letters(table, fields, &word, err);
        if (!ok)
            return false;
    }
    if (form.option && *(int *)form.field == NOT_GIVEN) {
        bool has_output = option_named(table, fields, 0, SPAN("output"), &output);
        const char *path = has_output ? *(char **)output.field : NULL;
        const char *dot = path ? strrchr(path, '.') : NULL;

        *(int *)form.field = usual;
        for (int i = 0; dot && form.option->choices[i]; i++)
            if (strcmp(dot + 1, form.option->choices[i]) == 0) /* "roof.svg" */
                *(int *)form.field = i;
    }
    argv[count] = NULL;
    *operands = count;
    return true;
}
