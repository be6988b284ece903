/* Checks token, Host and Origin of a request. */
#include "serve/guard.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool gs_guard_is_token(const char *text)
{
    size_t length = strlen(text);
    if (length < 16 || length > GS_GUARD_TOKEN)
        return false;
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && *text != '-' && *text != '_')
            return false;
    }
    return true;
}

bool gs_guard_make_token(char token[GS_GUARD_TOKEN + 1])
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Takes as long whatever the two have in common. */
static bool is_token(const gs_guard *guard, const char *text, size_t length)
{
    size_t own = strlen(guard->token);
    unsigned char differs = length != own;
    for (size_t i = 0; i < own; i++)
        differs |= (unsigned char)(guard->token[i] ^ (i < length ? text[i] : 0));
    return !differs;
}

/* The name of "name:port" or "[address]:port"; false if it is no such thing. */
static bool split_host(const char *host, char name[256], const char **port)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : host + strcspn(host, ":");
    host += host[0] == '[';
    if (!end || end == host || (size_t)(end - host) >= 256)
        return false;
    memcpy(name, host, (size_t)(end - host));
    name[end - host] = '\0';
    end += *end == ']';
    *port = *end == ':' ? end + 1 : "";
    return (*end == ':' || !*end) && strspn(*port, "0123456789") == strlen(*port);
}

/* A name that only its owner can have: an address, which no name server has a say in, or a name
 * that was given. */
static bool is_own_host(const gs_guard *guard, const char *host)
{
    char name[256];
    const char *port;
    struct in6_addr address;
    if (!host || !split_host(host, name, &port))
        return false;
    if (inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1 ||
        strcasecmp(name, "localhost") == 0)
        return true;
    for (size_t i = 0; i < guard->name_count; i++) {
        if (strcasecmp(name, guard->names[i]) == 0)
            return true;
    }
    return false;
}

bool gs_guard_allows_source(const gs_guard *guard, const gs_request *request)
{
    static const char http[] = "http://";
    if (!is_own_host(guard, request->host))
        return false;
    if (request->origin && (strncmp(request->origin, http, strlen(http)) != 0 ||
                            strcasecmp(request->origin + strlen(http), request->host) != 0))
        return false;
    /* A link from elsewhere may lead to the page, but not to what it reads. */
    bool is_page = strncmp(request->path, "/api/", 5) != 0;
    const char *site = request->fetch_site;
    return !site || is_page || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

static bool has_cookie(const gs_guard *guard, const char *cookies)
{
    size_t length = strlen(guard->cookie);
    while (cookies && *cookies) {
        cookies += strspn(cookies, " ;");
        size_t size = strcspn(cookies, ";");
        if (size > length && strncmp(cookies, guard->cookie, length) == 0 &&
            cookies[length] == '=' && is_token(guard, cookies + length + 1, size - length - 1))
            return true;
        cookies += size;
    }
    return false;
}

bool gs_guard_knows(const gs_guard *guard, const gs_request *request, bool *in_address)
{
    static const char bearer[] = "Bearer ";
    const char *parameter = gs_request_parameter(request, "token");
    const char *header = request->authorization;
    *in_address = parameter && is_token(guard, parameter, strlen(parameter));
    if (*in_address || has_cookie(guard, request->cookie))
        return true;
    return header && strncasecmp(header, bearer, strlen(bearer)) == 0 &&
           is_token(guard, header + strlen(bearer), strlen(header + strlen(bearer)));
}
